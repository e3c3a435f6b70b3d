package dev.weir.redis.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A wire to a server that can be made to fail: requests always reach the server, replies may be
 * held back, or be lost with the connection.
 */
public final class FaultProxy implements AutoCloseable {

  private enum Replies {
    PASS,
    HOLD,
    CUT
  }

  private final URI server;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Object gate = new Object();
  private Replies replies = Replies.PASS;
  private int passing;
  private long passed;
  private int held;
  private boolean closed;

  public FaultProxy(URI server) {
    this(server, newListener());
  }

  /** A wire whose clients come in by a socket of the caller's, for example with TLS. */
  public FaultProxy(URI server, ServerSocket listener) {
    this.server = server;
    this.listener = listener;
    start("accept", this::accept);
  }

  private static ServerSocket newListener() {
    try {
      return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI uri() {
    String userInfo = server.getUserInfo() == null ? "" : server.getUserInfo() + "@";
    return URI.create("redis://" + userInfo + "127.0.0.1:" + listener.getLocalPort());
  }

  /** From now on replies wait. */
  public void holdReplies() {
    holdRepliesAfter(0);
  }

  /** So many bytes of replies pass, those that waited first, and then what follows waits. */
  public void holdRepliesAfter(int bytes) {
    set(Replies.HOLD, bytes);
  }

  /** From now on a reply that comes from the server closes its connection instead. */
  public void cutReplies() {
    set(Replies.CUT, 0);
  }

  /** Replies pass again, those that waited first. */
  public void passReplies() {
    set(Replies.PASS, 0);
  }

  /** Returns how many bytes of replies have passed. */
  public long passed() {
    synchronized (gate) {
      return passed;
    }
  }

  /** Waits until so many connections hold a reply back: until their requests were decided. */
  public void awaitHeld(int connections) {
    synchronized (gate) {
      while (held < connections) {
        try {
          gate.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private void set(Replies mode, int bytes) {
    synchronized (gate) {
      replies = mode;
      passing = bytes;
      gate.notifyAll();
    }
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      Socket upstream;
      try {
        upstream = new Socket(server.getHost(), server.getPort());
      } catch (IOException e) {
        client.close(); // the server is down, which its clients are to see
        continue;
      }
      for (Socket socket : List.of(client, upstream)) {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
      }
      start("requests", () -> pump(client, upstream, false));
      start("replies", () -> pump(upstream, client, true));
    }
  }

  private void pump(Socket from, Socket to, boolean isReply) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[8192];
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        int written = 0;
        while (written < count) {
          int next = isReply ? mayPass(count - written) : count;
          if (next == 0) {
            return;
          }
          out.write(bytes, written, next);
          written += next;
        }
      }
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  /** Waits until some of so many bytes may pass; none if the connection is to end. */
  private int mayPass(int count) {
    synchronized (gate) {
      held++;
      gate.notifyAll();
      try {
        while (replies == Replies.HOLD && passing == 0 && !closed) {
          gate.wait();
        }
        if (replies == Replies.CUT || closed) {
          return 0;
        }
        int some = replies == Replies.PASS ? count : Math.min(count, passing);
        passing -= replies == Replies.PASS ? 0 : some;
        passed += some;
        return some;
      } catch (InterruptedException e) {
        return 0;
      } finally {
        held--;
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // The other side is gone, or the proxy is closed: this connection ends.
              }
            },
            "fault-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    synchronized (gate) {
      closed = true;
      gate.notifyAll();
    }
    List<Socket> open = new ArrayList<>(sockets);
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
