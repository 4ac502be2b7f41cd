/**
 * The sharing protocol (OpenSharing, until 2026 Delta Sharing), beside `/v1`: warehouses and BI tools read the tables
 * without loading them. Each entry of the publish log is one version of all tables; the number of the entry is the number of the version.
 */
import { type Context, Hono } from 'hono';
import { sharedTables } from '../../snapshot/format/manifest.ts';
import { decodeDigests, DIGESTS_FILE } from '../../snapshot/format/stored-digests.ts';
import type { SnapshotVersion } from '../../snapshot/read/snapshot-version.ts';
import type { SharedTable } from '../../tables/file-sets.ts';
import { requireToken, type ServeEnv } from '../auth/authenticate.ts';
import type { GuardParts } from '../contract/define-route.ts';
import { BufferedResponse } from '../http/buffered-response.ts';
import { answerJson } from '../http/json-answer.ts';
import { refusedParameter } from '../http/parameters.ts';
import { accountOf, behindLog, snapshotHeaders } from '../reporting/chosen-snapshot.ts';
import { linkUrl } from '../reporting/links.ts';
import { askedForm } from './capabilities.ts';
import {
  listTables,
  requireSchema,
  requireShare,
  requireSharedTable,
  schemasOf,
  SHARE,
  type SharedSchema,
  sharedId,
} from './catalog.ts';
import { type ChangesParts, hasChanges, readChanges } from './changes.ts';
import {
  chosenVersion,
  type ChosenVersion,
  hasNewest,
  momentOf,
  type NamedVersion,
  noVersion,
  oldestFrom,
  openVersion,
  readableWords,
} from './chosen-version.ts';
import { linkLifetime } from './link-lifetime.ts';
import { pageOf } from './paging.ts';
import { readQuery, refreshToken } from './query-body.ts';
import { SHARING_PATH } from './sharing-path.ts';
import { fileFields, metadataLine, PROTOCOL_LINE, statistics } from './table-lines.ts';
import { REPORTING_SCHEMA } from '../../snapshot/format/pin-schema.ts';
import { toMs } from '../../instant.ts';

export interface SharingParts extends ChangesParts, GuardParts {}

/** A table of a schema of the token's account. */
interface NamedTable {
  readonly id: string;
  readonly schema: SharedSchema;
  readonly table: SharedTable;
}

/** A route of the protocol, for any token of the account. Parameters that it does not know are ignored, as the protocol says. */
interface SharingRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What it answers, for the reference of routes. */
  readonly says: string;
  readonly answer: (parts: SharingParts, c: Context<ServeEnv>) => Response | Promise<Response>;
}

const CACHE = { 'cache-control': 'private, no-cache' } as const;
/** For answers of table routes, which may hold links to files: such a link works without a token. */
const SECRET = { 'cache-control': 'private, no-store' } as const;
const NDJSON = 'application/x-ndjson; charset=utf-8';
const INTEGER = /^\d{1,15}$/;

const SHARES = `${SHARING_PATH}/shares`;
const SHARE_AT = `${SHARES}/:share`;
const SCHEMA_AT = `${SHARE_AT}/schemas/:schema`;
const TABLE_AT = `${SCHEMA_AT}/tables/:table`;

/** All routes of the protocol. */
export const SHARING_ROUTES: readonly SharingRoute[] = [
  listOf(SHARES, 'The share of the account, for OpenSharing.', async (_, c) => [shareOf(c)]),
  {
    method: 'GET',
    path: SHARE_AT,
    says: 'The share by its name.',
    answer: (_, c) => answerJson(c, { share: shareOf(c) }, CACHE),
  },
  listOf(`${SHARE_AT}/all-tables`, 'Every table of every schema.', async (parts, c) =>
    tablesOf(parts, c, schemasOf(await versionsOf(parts, c))),
  ),
  listOf(`${SHARE_AT}/schemas`, 'The schemas: `reporting`, and one for each pin.', async (parts, c) =>
    schemasOf(await versionsOf(parts, c)).map(({ name }) => {
      return { name, share: SHARE, id: sharedId(accountOf(c), name) };
    }),
  ),
  listOf(`${SCHEMA_AT}/tables`, 'The tables of a schema.', async (parts, c) =>
    tablesOf(parts, c, [await schemaIn(parts, c)]),
  ),
  // A HEAD request to the table itself is the protocol's older way to ask for the version.
  ofTable('GET', '', 'The version of a table, by HEAD; deprecated.', answerVersion),
  ofTable('GET', '/version', 'The version of a table.', answerVersion),
  ofTable('GET', '/metadata', 'The schema of a table.', async (parts, c, shared) => {
    const chosen = await chosenVersion(parts, c, shared.schema, shared.table, namedIn(c));
    const { headers } = askedForm((name) => c.req.header(name), false);
    return await answerLines(parts, c, chosen, headLines(shared, chosen), headers);
  }),
  ofTable('POST', '/query', 'A link to the file of a table, by POST.', async (parts, c, shared) => {
    const { endLine, headers } = askedForm((name) => c.req.header(name), true);
    const named = await readQuery(c.req.raw);
    if (named instanceof Response) return named;
    const chosen = await chosenVersion(parts, c, shared.schema, shared.table, named);
    const { line, expires_at } = await fileLine(parts, c, shared, chosen);
    const lines = [...headLines(shared, chosen), line];
    const minUrlExpirationTimestamp = toMs(expires_at);
    const end = { endStreamAction: { refreshToken: refreshToken(chosen.seq), minUrlExpirationTimestamp } };
    const ended = endLine || named.wantsToken ? [...lines, end] : lines;
    return await answerLines(parts, c, chosen, ended, headers);
  }),
  ofTable('GET', '/changes', 'The rows that changed between two versions.', async (parts, c, shared) => {
    const { endLine, headers } = askedForm((name) => c.req.header(name), true);
    const { first, last, files } = await readChanges(parts, c, shared.schema, shared.table);
    const lines = [...headLines(shared, last), ...files];
    const expiries = files.map(({ add, cdf }) => (add ?? cdf)?.expirationTimestamp ?? Infinity);
    const end = {
      endStreamAction: expiries.length > 0 ? { minUrlExpirationTimestamp: Math.min(...expiries) } : {},
    };
    return await answerLines(parts, c, first, endLine ? [...lines, end] : lines, headers);
  }),
];

/** Registers all routes. */
export function sharingRoutes(parts: SharingParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const token = requireToken(parts.authenticate);
  for (const { method, path, answer } of SHARING_ROUTES) {
    routes.on(method, [path], token, (c) => {
      requireShare(c.req.param('share') ?? SHARE);
      return answer(parts, c);
    });
  }
  return routes;
}

/** Declares a route that answers a list page by page. */
function listOf(
  path: string,
  says: string,
  items: (parts: SharingParts, c: Context<ServeEnv>) => Promise<readonly { readonly id: string }[]>,
): SharingRoute {
  const answer: SharingRoute['answer'] = async (parts, c) =>
    answerJson(c, pageOf(await items(parts, c), c.req.query()), CACHE);
  return { method: 'GET', path, says, answer };
}

/** Declares a route of a table of a schema; `below` is the end of its path. */
function ofTable(
  method: SharingRoute['method'],
  below: string,
  says: string,
  answer: (parts: SharingParts, c: Context<ServeEnv>, shared: NamedTable) => Promise<Response>,
): SharingRoute {
  const path = `${TABLE_AT}${below}`;
  return { method, path, says, answer: async (parts, c) => answer(parts, c, await sharedTable(parts, c)) };
}

/** The version of a table, without any line. */
async function answerVersion(parts: SharingParts, c: Context<ServeEnv>, shared: NamedTable) {
  const chosen = await versionSince(parts, c, shared, c.req.query('startingTimestamp'));
  return await answerLines(parts, c, chosen, []);
}

function shareOf(c: Context<ServeEnv>) {
  return { name: SHARE, id: sharedId(accountOf(c)) };
}

async function versionsOf({ snapshots }: SharingParts, c: Context<ServeEnv>) {
  return await snapshots.versions(accountOf(c));
}

function tablesOf(parts: SharingParts, c: Context<ServeEnv>, schemas: readonly SharedSchema[]) {
  return listTables(accountOf(c), schemas, (schema, table) => hasNewest(parts, c, schema, table));
}

async function schemaIn(parts: SharingParts, c: Context<ServeEnv>): Promise<SharedSchema> {
  return requireSchema(await versionsOf(parts, c), c.req.param('schema') ?? '');
}

async function sharedTable(parts: SharingParts, c: Context<ServeEnv>): Promise<NamedTable> {
  const [schema, table] = [await schemaIn(parts, c), requireSharedTable(c.req.param('table') ?? '')];
  return { id: sharedId(accountOf(c), schema.name, table.name), schema, table };
}

/** The version that the parameters of a request name. */
function namedIn(c: Context<ServeEnv>): NamedVersion {
  const { version, timestamp } = c.req.query();
  if (version === undefined) return { timestamp };
  if (INTEGER.test(version)) return { version: Number(version), timestamp };
  throw refusedParameter(`version must be a whole number, found ${JSON.stringify(version)}.`);
}

/** The oldest version at or after a time; without a time, the newest version. */
async function versionSince(
  parts: SharingParts,
  c: Context<ServeEnv>,
  { schema, table }: NamedTable,
  since: string | undefined,
): Promise<ChosenVersion> {
  const { versions } = schema;
  if (since === undefined) return await chosenVersion(parts, c, schema, table, {});
  const found: SnapshotVersion | undefined = await oldestFrom(parts, c, versions, momentOf(since));
  if (found !== undefined) return await openVersion(parts, c, versions, table, found);
  const words = `${table.name} has no version since ${since}. ${readableWords(versions, table)}`;
  throw await noVersion(parts, c, versions, words);
}

function headLines({ id, schema, table }: NamedTable, chosen: ChosenVersion): readonly object[] {
  const size_bytes = storedTable(chosen, table).size_bytes;
  const changes = schema.name === REPORTING_SCHEMA && hasChanges(table);
  return [PROTOCOL_LINE, metadataLine(table, chosen, { id, size_bytes, changes })];
}

async function fileLine(
  parts: SharingParts,
  c: Context<ServeEnv>,
  { table: shared }: NamedTable,
  chosen: ChosenVersion,
) {
  const { snapshot } = chosen;
  const { table } = shared;
  const stored = storedTable(chosen, shared);
  const expires_at = parts.now() + linkLifetime(stored.size_bytes);
  const url = linkUrl(parts, c, { snapshot_id: snapshot.snapshot_id, table: table.name, expires_at });
  const fields = fileFields(stored, chosen, { url, expires_at });
  // The manifest does not count the rows of a set that is not served.
  if (stored.row_count === undefined) return { expires_at, line: { file: fields } };
  const digests = snapshot.files.some(({ name }) => name === DIGESTS_FILE)
    ? decodeDigests(await parts.snapshots.readFile(accountOf(c), snapshot.snapshot_id, DIGESTS_FILE))
    : undefined;
  const digest = digests?.tables.find(({ name }) => name === table.name);
  const stats = statistics(table, stored.row_count, digest);
  return { expires_at, line: { file: { ...fields, stats } } };
}

/** The stored table; the version was chosen because it has the table. */
function storedTable({ snapshot }: ChosenVersion, { table }: SharedTable) {
  const stored = sharedTables(snapshot).find(({ name }) => name === table.name);
  if (stored === undefined) throw new RangeError(`version without ${table.name}`);
  return stored;
}

/**
 * Answers with one JSON object on each line. No line break follows the last: clients would read an empty line as a
 * file.
 */
async function answerLines(
  parts: SharingParts,
  c: Context<ServeEnv>,
  { seq, snapshot }: ChosenVersion,
  lines: readonly object[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'));
  return new BufferedResponse(body, {
    headers: {
      ...SECRET,
      ...headers,
      ...snapshotHeaders(parts, snapshot),
      ...(await behindLog(parts, c)),
      'delta-table-version': String(seq),
      'content-length': String(body.length),
      'content-type': NDJSON,
    },
  });
}
