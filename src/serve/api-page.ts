/** The reference page of the API: Swagger UI over our own contract, without a byte from elsewhere. */

/** The two files of the package `swagger-ui-dist` that the page needs. */
export interface ApiPageFiles {
  readonly style: Uint8Array<ArrayBuffer>;
  readonly script: Uint8Array<ArrayBuffer>;
}

/** Beyond its own files: Swagger UI draws its arrows from data in its style sheet, and asks for the contract. */
export const API_PAGE_SOURCES = [
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
];

/** The page. Its addresses are relative, so that it also works where a proxy has put it below a path of its own. */
export const API_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Crossfoot API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="api/swagger-ui.css">
  </head>
  <body>
    <div id="contract"></div>
    <noscript>This page needs JavaScript; <a href="../v1/openapi.json">the contract itself</a> does not.</noscript>
    <script src="api/swagger-ui-bundle.js"></script>
    <script src="api/start.js"></script>
  </body>
</html>
`;

/** Starts the page: no validator of somebody else, no contract named in the address, no token kept. */
export const API_PAGE_START = `SwaggerUIBundle({
  url: '../v1/openapi.json',
  dom_id: '#contract',
  deepLinking: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  supportedSubmitMethods: ['get'],
  validatorUrl: null,
});
`;
