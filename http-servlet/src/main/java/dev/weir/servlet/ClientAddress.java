package dev.weir.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The client address is who asks, told by the address of the connection and, from trusted proxies
 * only, by what they say of whom they forward.
 *
 * <p>By default nobody is trusted: the client is the peer of the connection, and no header is read.
 * With trusted proxies the header is read from its right end, which the nearest proxy wrote, past
 * every trusted hop; the first hop that is not trusted is the client. What stands left of it came
 * from the client itself and is never believed. A hop that is no address, such as {@code unknown},
 * ends the walk: the client is then the peer. Are all hops trusted, it is the leftmost; is the
 * header absent, the peer. Only the last 32 hops and 2,048 characters are read.
 *
 * <p>Addresses are literals. No name is looked up, and forms that only some parsers know ({@code
 * 127.1}, {@code 2130706433}, {@code 010.0.0.1}) are no addresses. An IPv4 address that is mapped
 * into IPv6 is that IPv4 address; any other IPv6 address counts by its first 64 bits, since that is
 * what one household or one server is given.
 *
 * <p>A container or framework that rewrites the remote address from such headers (Tomcat's {@code
 * RemoteIpValve}, Jetty's {@code ForwardedRequestCustomizer}, Spring's {@code
 * ForwardedHeaderFilter}) must not run before this: with it, the peer is already what the header
 * says.
 *
 * <p>Immutable: the methods that change something return a changed copy. Methods do not block and
 * are safe for use by any number of threads.
 */
public final class ClientAddress {

  /** The key of all requests whose peer has no address, such as those through a Unix socket. */
  static final String UNKNOWN = "unknown";

  private static final String X_FORWARDED_FOR = "X-Forwarded-For";
  private static final String FORWARDED = "Forwarded";
  private static final int MAX_HOPS = 32;
  private static final int MAX_CHARS = 2048;
  private static final int MIN_IPV6_PREFIX = 48;
  private static final int MAX_IPV6_PREFIX = 128;
  private static final ClientAddress OF_PEER =
      new ClientAddress(List.of(), Kind.LIST, X_FORWARDED_FOR, Long.SIZE);

  /** How the header names the hops. */
  private enum Kind {
    /** Addresses, separated by commas. */
    LIST,
    /** The elements of RFC 7239. */
    FORWARDED,
    /** One address. */
    SINGLE
  }

  private final List<Cidr> trusted;
  private final Kind kind;
  private final String header;
  private final int ipv6Prefix;

  private ClientAddress(List<Cidr> trusted, Kind kind, String header, int ipv6Prefix) {
    this.trusted = trusted;
    this.kind = kind;
    this.header = header;
    this.ipv6Prefix = ipv6Prefix;
  }

  /**
   * Returns the client address that trusts nobody: the peer of the connection.
   *
   * @return the default
   */
  public static ClientAddress ofPeer() {
    return OF_PEER;
  }

  /**
   * Returns the client address behind trusted proxies that append to {@code X-Forwarded-For}.
   *
   * @param trustedProxies the proxies' own addresses, as blocks such as {@code 10.0.0.0/8} and
   *     {@code fd00::/8} or as single addresses; at least one
   * @return the client address
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if there is no block, or one is not an IPv4 or IPv6 literal
   *     with a prefix length of 1 to 32 or 128, has bits set after its prefix, has a zone, or is a
   *     mapped IPv4 address with a prefix below 96
   */
  public static ClientAddress behind(String... trustedProxies) {
    if (trustedProxies.length == 0) {
      throw new IllegalArgumentException("no trusted proxy is given, must be at least 1");
    }
    return new ClientAddress(
        Arrays.stream(trustedProxies).map(Cidr::parse).toList(),
        Kind.LIST,
        X_FORWARDED_FOR,
        Long.SIZE);
  }

  /**
   * Returns this client address, reading {@code Forwarded} (RFC 7239) and no other header.
   *
   * @return the changed copy
   * @throws IllegalStateException if nobody is trusted, for then no header is read
   */
  public ClientAddress readingForwarded() {
    return reading(Kind.FORWARDED, FORWARDED);
  }

  /**
   * Returns this client address, reading a header that holds exactly one address, such as {@code
   * X-Real-IP}, and no other header. Every trusted proxy must overwrite what clients send in it; a
   * second value in it is unreadable.
   *
   * @param name the header's name
   * @return the changed copy
   * @throws NullPointerException if {@code name} is null
   * @throws IllegalArgumentException if {@code name} is not a header name
   * @throws IllegalStateException if nobody is trusted, for then no header is read
   */
  public ClientAddress readingHeader(String name) {
    return reading(Kind.SINGLE, Http.checkToken("header", name));
  }

  private ClientAddress reading(Kind kind, String header) {
    if (trusted.isEmpty()) {
      throw new IllegalStateException(
          "no proxy is trusted, so that no header is read: begin with ClientAddress.behind");
    }
    return new ClientAddress(trusted, kind, header, ipv6Prefix);
  }

  /**
   * Returns this client address with another number of bits by which IPv6 addresses count.
   *
   * @param prefix the bits of an IPv6 address that tell clients apart, from 48 to 128
   * @return the changed copy
   * @throws IllegalArgumentException if {@code prefix} is out of its bounds
   */
  public ClientAddress withIpv6Prefix(int prefix) {
    if (prefix < MIN_IPV6_PREFIX || prefix > MAX_IPV6_PREFIX) {
      throw new IllegalArgumentException(
          "ipv6Prefix is "
              + prefix
              + ", must be from "
              + MIN_IPV6_PREFIX
              + " to "
              + MAX_IPV6_PREFIX);
    }
    return new ClientAddress(trusted, kind, header, prefix);
  }

  /**
   * Returns the key of who asks: {@code ip4:192.0.2.1}, {@code ip6:2001:db8::/64}, or {@code
   * unknown} where the connection has no address.
   *
   * @param request the request
   * @return the key, the same for every spelling of an address
   * @throws NullPointerException if {@code request} is null
   */
  public String keyOf(HttpServletRequest request) {
    return keyOf(
        request.getRemoteAddr(),
        name -> {
          Enumeration<String> values = request.getHeaders(name);
          return values == null ? List.of() : Collections.list(values);
        });
  }

  /**
   * Returns the key of who asks, for frameworks without servlets.
   *
   * @param peerAddress the address of the connection's peer, a literal; null where it has none
   * @param headers gives the values of a header by its name, a line each, in their order; asked for
   *     one header at most
   * @return the key, the same for every spelling of an address
   * @throws NullPointerException if {@code headers} is null
   */
  public String keyOf(@Nullable String peerAddress, Function<String, List<String>> headers) {
    Objects.requireNonNull(headers, "headers");
    IpAddress peer = peerAddress == null ? null : IpAddress.parseHop(peerAddress);
    if (peer == null) {
      return UNKNOWN;
    }
    IpAddress client = isTrusted(peer) ? forwarded(headers.apply(header), peer) : peer;
    return client.isIpv4()
        ? "ip4:" + client
        : "ip6:" + client.masked(ipv6Prefix) + "/" + ipv6Prefix;
  }

  private boolean isTrusted(IpAddress address) {
    for (Cidr block : trusted) {
      if (block.contains(address)) {
        return true;
      }
    }
    return false;
  }

  private IpAddress forwarded(List<String> lines, IpAddress peer) {
    if (kind == Kind.SINGLE) {
      IpAddress only = lines.size() == 1 ? IpAddress.parseHop(Http.trim(lines.get(0))) : null;
      return only == null ? peer : only;
    }
    return walk(lines, peer);
  }

  private IpAddress walk(List<String> lines, IpAddress peer) {
    IpAddress client = peer;
    int hops = 0;
    int unread = MAX_CHARS;
    for (int i = lines.size() - 1; i >= 0 && unread > 0; i--) {
      String line = lines.get(i);
      int floor = Math.max(0, line.length() - unread);
      int end = line.length();
      while (end >= 0) {
        int comma = lastComma(line, floor, end);
        if (comma < floor && floor > 0) {
          return client; // the rest of this hop lies beyond what is read
        }
        String hop = Http.trim(line.substring(comma + 1, end));
        end = comma;
        if (hop.isEmpty()) {
          continue; // an empty element of a list means nothing
        }
        if (hops++ == MAX_HOPS) {
          return client;
        }
        IpAddress address = kind == Kind.FORWARDED ? forwardedFor(hop) : IpAddress.parseHop(hop);
        if (address == null) {
          return peer;
        }
        client = address;
        if (!isTrusted(address)) {
          return client;
        }
      }
      unread -= line.length() + 1; // with the comma that joins two lines
    }
    return client;
  }

  /**
   * Returns where the last comma before {@code end} stands, -1 if there is none at or after {@code
   * floor}. In {@code Forwarded} a comma between quotes does not count. Quotes are paired from the
   * right, so that an open quote from a client spoils nothing that a proxy wrote after it.
   */
  private int lastComma(String line, int floor, int end) {
    boolean quoted = false;
    for (int i = end - 1; i >= floor; i--) {
      char c = line.charAt(i);
      if (c == ',' && !quoted) {
        return i;
      }
      if (c == '"' && kind == Kind.FORWARDED) {
        int slash = i;
        while (slash > floor && line.charAt(slash - 1) == '\\') {
          slash--;
        }
        if ((i - slash) % 2 == 0) {
          quoted = !quoted;
        }
      }
    }
    return -1;
  }

  /** Reads the {@code for} parameter of one element; null if it has not exactly one address. */
  private static @Nullable IpAddress forwardedFor(String element) {
    String node = null;
    int i = 0;
    while (i < element.length()) {
      int equals = element.indexOf('=', i);
      if (equals < 0) {
        return null;
      }
      String name = Http.trim(element.substring(i, equals));
      StringBuilder value = new StringBuilder();
      i = equals + 1;
      if (i < element.length() && element.charAt(i) == '"') {
        i++;
        while (i < element.length() && element.charAt(i) != '"') {
          if (element.charAt(i) == '\\') {
            i++;
          }
          if (i < element.length()) {
            value.append(element.charAt(i++));
          }
        }
        if (i++ >= element.length()) {
          return null; // the quote stays open
        }
      } else {
        while (i < element.length() && ";\"".indexOf(element.charAt(i)) < 0) {
          value.append(element.charAt(i++));
        }
      }
      int semicolon = element.indexOf(';', i);
      int end = semicolon < 0 ? element.length() : semicolon;
      if (!Http.isToken(name) || !Http.trim(element.substring(i, end)).isEmpty()) {
        return null;
      }
      i = end + 1;
      if (name.equalsIgnoreCase("for")) {
        if (node != null) {
          return null;
        }
        node = Http.trim(value.toString());
      }
    }
    return node == null ? null : IpAddress.parseHop(node);
  }
}
