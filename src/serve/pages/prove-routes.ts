/** What the page that proves a snapshot loads: its scripts, the files as they are stored, and the publish log. */
import { type Context, Hono } from 'hono';
import { CrossfootError } from '../../errors.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import type { SignedReader } from '../../snapshot/read/signed-reader.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { BufferedResponse } from '../http/buffered-response.ts';
import { guardPage, PAGE_SOURCES } from '../frame/page-guard.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { sendStatic, staticResponse } from '../http/static-response.ts';
import { accountOf, pinned } from '../reporting/chosen-snapshot.ts';
import { framedPage } from '../frame/page-frame.ts';
import { proveBody } from './prove-page.ts';
import { formTokenFor, requireSession, type SignInParts } from '../frame/signed-in.ts';

/** The scripts, made by `npm run generate` of `src/prover`. */
export interface ProverScripts {
  readonly page: string;
  readonly worker: string;
}

export interface ProveParts extends SignInParts {
  readonly snapshots: SnapshotReader;
  readonly signatures: SignedReader;
  readonly proverScripts: ProverScripts;
}

const SOURCES = [...PAGE_SOURCES, "worker-src 'self'", "connect-src 'self'"];
// A newer server has a newer script, with another entity tag.
const PUBLIC = { 'cache-control': 'public, no-cache' } as const;
/** So many entries of the publish log in one answer. */
const LOG_PAGE = 100;
const SEQ = /^[1-9]\d{0,9}$/;

/** The routes. They take the session of the pages, and no token. */
export function proveRoutes(parts: ProveParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const scripts = {
    // A worker has a policy of its own.
    '/prove/worker.js': [parts.proverScripts.worker, guardPage(["connect-src 'self'"])],
    '/prove/page.js': [parts.proverScripts.page, guardPage([])],
  } as const;
  for (const [path, [text, guard]] of Object.entries(scripts)) {
    const script = staticResponse(text, 'text/javascript; charset=utf-8');
    routes.get(path, acceptNoParameters, guard, (c) => sendStatic(c, script, PUBLIC));
  }
  routes.get(
    '/snapshots/:snapshot_id/prove',
    guardPage(SOURCES, { forms: true }),
    requireSession(parts, '../../'),
    acceptNoParameters,
    async (c) => {
      const snapshot = await pinned(parts, c, c.req.param('snapshot_id'));
      const { body, isSmall } = proveBody(snapshot, parts.baseUrl());
      const title = `Prove snapshot ${snapshot.snapshot_id}`;
      const scripted = isSmall ? ['prove/page.js'] : [];
      const form_token = formTokenFor(c, parts);
      return c.html(
        await framedPage({ title, root: '../../', here: '', body, form_token, scripts: scripted }),
      );
    },
  );
  routes.get(
    '/snapshots/:snapshot_id/prove/files/:name',
    requireSession(parts, '../../../../'),
    acceptNoParameters,
    (c) => answerFile(c, parts, c.req.param('snapshot_id'), c.req.param('name')),
  );
  routes.get(
    '/snapshots/:snapshot_id/prove/log/:from',
    requireSession(parts, '../../../../'),
    acceptNoParameters,
    async (c) => {
      const from = c.req.param('from');
      if (!SEQ.test(from))
        throw new CrossfootError('not_found', 'Entries of the publish log have whole numbers from 1.');
      const snapshot = await pinned(parts, c, c.req.param('snapshot_id'));
      const range = { from: Number(from), most: LOG_PAGE };
      const entries = await parts.signatures.entriesTo(accountOf(c), snapshot.snapshot_id, range);
      return answerBytes(
        Buffer.concat(entries.flatMap((entry) => [entry, Buffer.from('\n')])),
        'application/x-ndjson',
      );
    },
  );
  return routes;
}

/** A file of the snapshot, byte for byte as it is stored. */
async function answerFile(
  c: Context<ServeEnv>,
  parts: ProveParts,
  snapshot_id: string,
  name: string,
): Promise<Response> {
  const { snapshots, signatures } = parts;
  const snapshot = await pinned(parts, c, snapshot_id);
  const account_id = accountOf(c);
  if (name === 'manifest.json')
    return answerBytes(await signatures.manifest(account_id, snapshot_id), 'application/json');
  if (name === 'manifest.json.sig') {
    return answerBytes(
      await signatures.signature(account_id, snapshot_id, name),
      'text/plain; charset=utf-8',
    );
  }
  const table = snapshot.tables.find((each) => `${each.name}.parquet` === name);
  if (table !== undefined) {
    const bytes = await snapshots.openTable(account_id, snapshot_id, table.name);
    const headers = {
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(table.size_bytes),
    };
    return bytes instanceof Uint8Array
      ? new BufferedResponse(bytes, { headers })
      : new Response(bytes, { headers });
  }
  if (!snapshot.files.some((each) => each.name === name)) {
    throw new CrossfootError('not_found', 'This snapshot has no such file.');
  }
  return answerBytes(await snapshots.readFile(account_id, snapshot_id, name), 'application/octet-stream');
}

function answerBytes(bytes: Uint8Array, type: string): Response {
  const body = new Uint8Array(bytes);
  return new BufferedResponse(body, {
    headers: { 'content-type': type, 'content-length': String(body.length) },
  });
}
