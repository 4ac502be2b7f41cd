/** The reference page of the API: Swagger UI with our contract. All files come from this server. */
import { html } from 'hono/html';
import { sitePage } from '../site/site-layout.ts';

/** The two files of the package `swagger-ui-dist` that the page needs. */
export interface ApiPageFiles {
  readonly style: Uint8Array<ArrayBuffer>;
  readonly script: Uint8Array<ArrayBuffer>;
}

/** Sources that the page needs beside its own files: Swagger UI draws its arrows with `data:` images and fetches the contract. */
export const API_PAGE_SOURCES = [
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
];

const STYLES = ['docs/api/swagger-ui.css', 'docs/api/page.css'];
const SCRIPTS = ['docs/api/swagger-ui-bundle.js', 'docs/api/start.js'];

/** The page. */
export async function apiPage(): Promise<string> {
  const body = html`<div id="contract"></div>
    <noscript
      >This page needs JavaScript; <a href="../v1/openapi.json">the contract itself</a> does not.</noscript
    >`;
  const page = { title: 'API reference', root: '../', here: 'docs/api', body } as const;
  return await sitePage({ ...page, styles: STYLES, scripts: SCRIPTS });
}

/**
 * Starts the page in the reader's colour scheme, without an external validator, a contract from the query or a stored
 * token. The choice of server is hidden, because there is one. Links inside buttons get no link role, for screen readers.
 */
export const API_PAGE_START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: '../v1/openapi.json',
  dom_id: '#contract',
  deepLinking: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  supportedSubmitMethods: ['get'],
  validatorUrl: null,
  plugins: [
    ({ React }) => ({
      wrapComponents: {
        DeepLink: () => ({ text }) => React.createElement('span', null, text),
        ServersContainer: () => () => null,
      },
    }),
  ],
});
`;
