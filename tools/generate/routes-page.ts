/** The reference page of all routes: those of the contract, and those outside it. */
import type { describeApi } from '../../src/serve/api-document.ts';
import { markdownTable, type ReferencePage } from './reference-page.ts';

/** Who may call a route. */
type Access = 'public' | 'token' | 'sign-in' | 'link';

/** Routes outside `/v1`. They are not part of the contract, so they may change. */
const OUTSIDE: readonly (readonly [path: string, access: Access, answer: string])[] = [
  [
    '/',
    'sign-in',
    'What was spent, what came back and what moved, in one snapshot (`?snapshot=`, else the newest); all snapshots.',
  ],
  ['/sign-in', 'public', 'The form that takes a token.'],
  ['/initiatives', 'sign-in', 'The initiatives of a snapshot, ranked by a figure.'],
  [
    '/initiatives/{initiative_id}',
    'sign-in',
    'An initiative: plan and actual, its costs, value, budgets and decisions.',
  ],
  ['/budgets', 'sign-in', 'Each budget against what was spent.'],
  [
    '/ai-spend',
    'sign-in',
    'What was billed for AI, by month and by who billed it, carried by initiatives or not.',
  ],
  ['/night', 'sign-in', "Tonight's run: what was built or refused, and the command to run next."],
  ['/snapshots/{snapshot_id}', 'sign-in', 'A snapshot: its tables, totals and audit.'],
  ['/snapshots/{snapshot_id}/changes', 'sign-in', 'What changed since an earlier snapshot, and why.'],
  [
    '/snapshots/{snapshot_id}/changes.csv',
    'sign-in',
    'The changed rows of that page as CSV, each column before and after.',
  ],
  ['/changes', 'sign-in', 'What changed between any two snapshots, and why.'],
  [
    '/snapshots/{snapshot_id}/tables/{table}',
    'sign-in',
    'The rows of a table, with filters, order and totals.',
  ],
  [
    '/snapshots/newest/tables/{table}.parquet',
    'sign-in',
    'The whole file of that table in the newest snapshot.',
  ],
  ['/snapshots/newest/tables/{table}', 'sign-in', 'Leads to the rows of that table in the newest snapshot.'],
  ['/snapshots/{snapshot_id}/tables/{table}.parquet', 'sign-in', 'The file of that table.'],
  [
    '/snapshots/{snapshot_id}/prove',
    'sign-in',
    'Proves a snapshot in the browser: signature, digests and sums.',
  ],
  ['/snapshots/{snapshot_id}/prove/files/{name}', 'sign-in', 'A file of the snapshot, for that page.'],
  ['/snapshots/{snapshot_id}/prove/log/{from}', 'sign-in', 'Entries of the publish log, for that page.'],
  ['/tables', 'public', 'The reporting tables.'],
  ['/tables/{table}', 'public', 'The columns of a table.'],
  ['/docs', 'public', 'This documentation.'],
  ['/docs/{slug}', 'public', 'An article of the documentation.'],
  ['/docs/search', 'public', 'The articles, reference pages and columns that say something about `q`.'],
  ['/docs/api', 'public', 'The contract of the API, as a page.'],
  ['/docs/api/figures', 'public', 'The routes of figures, each with its fields and an example.'],
  ['/docs/api/records', 'public', 'The routes of lists of records, in the same form.'],
  ['/docs/api/reporting', 'public', 'The routes of the reporting tables, in the same form.'],
  ['/docs/api/contract', 'public', 'The routes of the contract itself, in the same form.'],
  ['/links/{grant}/{table}.parquet', 'link', 'A table by a link that `/links` handed out.'],
  [
    '/links/{grant}/changes/{table}.parquet',
    'link',
    'The rows of a change feed by a link that the feed handed out.',
  ],
  ['/delta-sharing/shares', 'token', 'The share of the account, for OpenSharing.'],
  ['/delta-sharing/shares/{share}', 'token', 'The share by its name.'],
  ['/delta-sharing/shares/{share}/all-tables', 'token', 'Every table of every schema.'],
  ['/delta-sharing/shares/{share}/schemas', 'token', 'The schemas: `reporting`, and one for each pin.'],
  ['/delta-sharing/shares/{share}/schemas/{schema}/tables', 'token', 'The tables of a schema.'],
  [
    '/delta-sharing/shares/{share}/schemas/{schema}/tables/{table}',
    'token',
    'The version of a table, by HEAD; deprecated.',
  ],
  [
    '/delta-sharing/shares/{share}/schemas/{schema}/tables/{table}/version',
    'token',
    'The version of a table.',
  ],
  [
    '/delta-sharing/shares/{share}/schemas/{schema}/tables/{table}/metadata',
    'token',
    'The schema of a table.',
  ],
  [
    '/delta-sharing/shares/{share}/schemas/{schema}/tables/{table}/changes',
    'token',
    'The rows that changed between two versions.',
  ],
  ['/pull.mjs', 'public', 'The program that pulls snapshots, for Node 20 or newer.'],
  ['/pull.py', 'public', 'The same for Python 3.9 or newer.'],
  [
    '/.well-known/oauth-protected-resource/mcp',
    'public',
    'Says that the assistant takes tokens and has no sign-in (RFC 9728).',
  ],
  ['/healthz', 'public', 'Answers while the process lives.'],
  ['/readyz', 'public', 'Answers 200 while the database and the object store answer.'],
  [
    '/mcp',
    'token',
    'The assistant (MCP over Streamable HTTP); the only POST beside `/sign-in` and `/sign-out`.',
  ],
];

/** The page of every route, with who may call it. */
export function routesPage({ paths }: ReturnType<typeof describeApi>): ReferencePage {
  const rows = Object.entries(paths ?? {}).map(([path, { get }]) => [
    `\`${path}\``,
    (get?.security ?? []).length === 0 ? 'public' : 'token',
    get?.summary ?? '',
  ]);
  const outside = OUTSIDE.map(([path, access, answer]) => [`\`${path}\``, access, answer]);
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
