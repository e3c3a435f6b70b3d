package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

class ShopTest {

  @Test
  void theSixthRequestIsTooMany() throws Exception {
    Server server = Shop.server();
    server.start();
    try {
      int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
      HttpClient client = HttpClient.newHttpClient();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/x")).build();
      List<Integer> statuses = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        statuses.add(client.send(request, BodyHandlers.discarding()).statusCode());
      }
      assertEquals(List.of(404, 404, 404, 404, 404, 429), statuses);
    } finally {
      server.stop();
    }
  }
}
