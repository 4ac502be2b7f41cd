// Prints the sum of /v1/roi, read by the client that openapi-generator made.
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.FiguresApi;

public class Roi {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    System.out.println(new FiguresApi(client).getRoi("all", null, null, null, null, null).getTotalCostCents());
  }
}
