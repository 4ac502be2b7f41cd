/** The reference page of the API: Swagger UI over our own contract, without a byte from elsewhere. */
import { html } from 'hono/html';
import { sitePage } from '../site/site-layout.ts';

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
 * Starts the page: no validator of somebody else, no contract named in the address, no token kept; in the reader's
 * colours. There is one server, and so no choice of it; a link within a button is none for who listens to the page.
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
