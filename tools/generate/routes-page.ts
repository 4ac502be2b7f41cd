/** The reference page of all routes: those of the contract, and those outside it. */
import type { describeApi } from '../../src/serve/api-document.ts';
import { RESOURCE_DOCUMENT, routesOf, SERVER_DOCUMENT } from '../../src/serve/auth/well-known.ts';
import { REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from '../../src/serve/connect/addresses.ts';
import { SIGN_IN_PAGES } from '../../src/serve/connect/routes.ts';
import { PAGES } from '../../src/serve/page-routes.ts';
import { linkedTable } from '../../src/serve/reporting/linked-table.ts';
import { linkedChanges } from '../../src/serve/sharing/linked-changes.ts';
import { SHARING_ROUTES } from '../../src/serve/sharing/routes.ts';
import { markdownTable, type ReferencePage } from './reference-page.ts';

/** Who may call a route. */
type Access = 'public' | 'sign-in' | 'token' | 'link';

const [RESOURCE, RESOURCE_BELOW] = routesOf(RESOURCE_DOCUMENT);
const [SERVER, SERVER_BELOW] = routesOf(SERVER_DOCUMENT);

/** Routes outside `/v1` that are no pages. They are not part of the contract, so they may change. */
const OUTSIDE: readonly (readonly [path: string, access: Access, answer: string])[] = [
  ['/sign-in', 'public', 'The form that takes a token.'],
  ...[linkedTable, linkedChanges].map(
    ({ contract: { path, summary = '' } }) => [path, 'link', summary] as const,
  ),
  ...SHARING_ROUTES.map(({ path, says }) => [path.replaceAll(/:(\w+)/g, '{$1}'), 'token', says] as const),
  ['/pull.mjs', 'public', 'The program that pulls snapshots, for Node 20 or newer.'],
  ['/pull.py', 'public', 'The same for Python 3.9 or newer.'],
  [RESOURCE, 'public', 'Says where tokens for the assistant come from (RFC 9728).'],
  [RESOURCE_BELOW, 'public', 'The same at `/{path}/mcp`, where `BASE_URL` has a path before `/v1`.'],
  [SERVER, 'public', 'What the sign-in of assistants serves, and where (RFC 8414).'],
  [SERVER_BELOW, 'public', 'The same at `/{path}`, where `BASE_URL` has a path before `/v1`.'],
  [REGISTER_PATH, 'public', 'A client registers itself, by POST (RFC 7591).'],
  [TOKEN_PATH, 'public', 'A client redeems its code or gets its next tokens, by POST.'],
  [REVOKE_PATH, 'public', 'A client gives its tokens back, by POST (RFC 7009).'],
  ['/healthz', 'public', 'Answers while the process lives.'],
  ['/readyz', 'public', 'Answers 200 while the database and the object store answer.'],
  ['/mcp', 'token', 'The assistant (MCP over Streamable HTTP), by POST.'],
];

/** The page of every route, with who may call it. */
export function routesPage({ paths }: ReturnType<typeof describeApi>): ReferencePage {
  const rows = Object.entries(paths ?? {}).map(([path, { get }]) => [
    `\`${path}\``,
    (get?.security ?? []).length === 0 ? 'public' : 'token',
    get?.summary ?? '',
  ]);
  const pages = [...PAGES, ...SIGN_IN_PAGES].map(({ path, access, says }) => [path, access, says] as const);
  const outside = [...pages, ...OUTSIDE].map(([path, ...rest]) => [`\`${path}\``, ...rest]);
  return {
    id: 1205,
    slug: 'routes',
    theme: 'Reference',
    title: 'Routes',
    summary: 'Every address of the server, who may call it, and what it answers.',
    body: `Every route is a GET and answers HEAD too. Send a [token](../articles/tokens.md) as \`Authorization: Bearer …\`, or as the
password of HTTP Basic with any user name. [How the server answers](../articles/http.md) has ranges, errors and limits.

## Under /v1

These paths follow \`BASE_URL\`, which ends in \`/v1\`. The API pages have their parameters and fields.

${markdownTable(['route', 'access', 'answer'], rows)}
## Outside /v1

A person signs in with a token at \`/\`. A link is valid for an hour, and only while its token is.

${markdownTable(['address', 'access', 'answer'], outside)}`,
  };
}
