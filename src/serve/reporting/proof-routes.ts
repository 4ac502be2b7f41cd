/** What proves a snapshot and carries it elsewhere: the files of its audit, its digests, and its tables as CSV. */
import { type Context, Hono } from 'hono';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { sha256Sums } from '../../snapshot/format/sha256-sums.ts';
import { decodeDigests, DIGESTS_FILE } from '../../snapshot/format/stored-digests.ts';
import { DIALECTS } from '../../tables/dialects.ts';
import { compareSql } from '../../warehouse/compare-digests.ts';
import { limitAtOnce } from '../limits/at-once.ts';
import { requireToken, type ServeEnv } from '../auth/authenticate.ts';
import { answerKept, keep } from '../http/kept-answer.ts';
import { acceptNoParameters, acceptParameters } from '../http/parameters.ts';
import {
  latest,
  noTable,
  pinned,
  latestHeaders,
  type ReportingParts,
  snapshotHeaders,
} from './reporting-routes.ts';
import { answerTableCsv } from './table-csv-answer.ts';
import { CACHE_LATEST, CACHE_PINNED } from './table-file.ts';

// Each holds a row group and a few thousand rows, some tens of megabytes.
const MAX_CSV_AT_ONCE = 2;
const SQL_TYPE = 'application/sql';

/** What a build has written beside its tables since the day it first wrote each. */
const FILES = ['audit.json', 'audit.sql', 'control.json', DIGESTS_FILE, 'schema.json'];

const PINNED = '/reporting/snapshots/:snapshot_id';
const LATEST = '/reporting/latest';

/** The routes below a snapshot that are about all of it, and its tables as CSV. */
export function proofRoutes({ authenticate, snapshots, baseUrl }: ReportingParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const token = requireToken(authenticate);
  const csvAtOnce = limitAtOnce(MAX_CSV_AT_ONCE, 'CSV files');

  const told = (snapshot: ReadableSnapshot, cache: string) => ({
    'cache-control': cache,
    ...snapshotHeaders(snapshot, baseUrl()),
  });
  const fileOf = (account_id: bigint, snapshot: ReadableSnapshot, name: string) => {
    if (!snapshot.files.some((file) => file.name === name)) throw noFile(name);
    return snapshots.readFile(account_id, snapshot.snapshot_id, name);
  };

  routes.get('/reporting/snapshots/:snapshot_id/files/:name', token, acceptNoParameters, async (c) => {
    const { snapshot_id, name } = c.req.param();
    const snapshot = await pinned(snapshots, c, snapshot_id);
    const bytes = await fileOf(c.var.principal.account_id, snapshot, name);
    const type = name.endsWith('.sql') ? SQL_TYPE : 'application/json';
    return answerKept(c, keep(bytes, type), told(snapshot, CACHE_PINNED));
  });
  routes.get(`${PINNED}/SHA256SUMS`, token, acceptNoParameters, async (c) => {
    const snapshot = await pinned(snapshots, c, c.req.param('snapshot_id'));
    return answerKept(c, sumsOf(snapshot), told(snapshot, CACHE_PINNED));
  });
  routes.get(`${LATEST}/SHA256SUMS`, token, acceptNoParameters, async (c) => {
    const snapshot = await latest(snapshots, c);
    const location = await latestHeaders(snapshots, c, snapshot, baseUrl(), '/SHA256SUMS');
    return answerKept(c, sumsOf(snapshot), { ...told(snapshot, CACHE_LATEST), ...location });
  });
  // The twins of the contract's `{dialect}.sql` and `{table}.csv`: Hono has no suffix after a parameter.
  routes.get(
    '/reporting/snapshots/:snapshot_id/compare/:dialect{[a-z]+\\.sql}',
    token,
    acceptNoParameters,
    async (c) => {
      const snapshot = await pinned(snapshots, c, c.req.param('snapshot_id'));
      const dialect = DIALECTS.find((each) => `${each}.sql` === c.req.param('dialect'));
      if (dialect === undefined) throw noDialect();
      const bytes = await fileOf(c.var.principal.account_id, snapshot, DIGESTS_FILE);
      // The statement may be improved while the snapshot stays as it is.
      const headers = told(snapshot, 'private, no-cache');
      return answerKept(c, keep(compareSql(decodeDigests(bytes), dialect), SQL_TYPE), headers);
    },
  );
  const csv = async (
    c: Context<ServeEnv>,
    snapshot: ReadableSnapshot,
    file: string,
    location: Readonly<Record<string, string>> = {},
  ) => {
    const { account_id } = c.var.principal;
    const { snapshot_id, tables } = snapshot;
    const name = file.replace(/\.csv$/, '');
    const table = tables.find((each) => each.name === name);
    if (table === undefined) throw noTable(name);
    c.set('logger', c.var.logger.with({ snapshot: snapshot_id, table: name }));
    await snapshots.refuseDamaged(account_id, snapshot_id, name);
    return await answerTableCsv(c, {
      table,
      headers: { ...snapshotHeaders(snapshot, baseUrl()), ...location },
      open: (options) =>
        csvAtOnce.open(account_id, () => snapshots.openCsv(account_id, snapshot_id, name, options)),
    });
  };
  const csvParameters = acceptParameters(['spreadsheet']);
  routes.get(`${PINNED}/:table{[a-z_]+\\.csv}`, token, csvParameters, async (c) => {
    const snapshot = await pinned(snapshots, c, c.req.param('snapshot_id'));
    return await csv(c, snapshot, c.req.param('table'));
  });
  routes.get(`${LATEST}/:table{[a-z_]+\\.csv}`, token, csvParameters, async (c) => {
    const snapshot = await latest(snapshots, c);
    const file = c.req.param('table');
    const location = await latestHeaders(snapshots, c, snapshot, baseUrl(), `/${file}`);
    return await csv(c, snapshot, file, location);
  });
  return routes;
}

function sumsOf(snapshot: ReadableSnapshot) {
  return keep(sha256Sums(snapshot), 'text/plain; charset=utf-8');
}

/** The 404 of a dialect that nothing is generated for. */
export function noDialect(): CrossfootError {
  return new CrossfootError('not_found', `There is no such dialect; there are ${DIALECTS.join(', ')}.`);
}

function noFile(name: string): CrossfootError {
  return new CrossfootError(
    'not_found',
    FILES.includes(name)
      ? 'This snapshot was built before it had this file.'
      : `There is no such file beside a snapshot; there are ${FILES.join(', ')}.`,
  );
}
