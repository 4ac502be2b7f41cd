/** A server on a socket over a real folder: two published snapshots, the newest with a file of three blocks. */
import { randomUUID } from 'node:crypto';
import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/log.ts';
import { listen } from '../../src/serve/http/server.ts';
import { knownPaths } from '../../src/serve/known-paths.ts';
import { BLOCK_BYTES } from '../../src/snapshot/format/digest.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { type SeenHead, type SeenHeads, watchHeads } from '../../src/snapshot/read/seen-heads.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { aBuild, DAY, HOUR, MIDNIGHT, publishNow } from '../snapshot/builder/build-harness.ts';
import { fakeApp } from './fake-parts.ts';

export const OLDER_ID = '20260301T000000Z';
export const NEWER_ID = '20260302T000000Z';
/** Two whole blocks and 1,000 bytes; no two blocks alike. */
export const COSTS = Buffer.alloc(2 * BLOCK_BYTES + 1_000, 'each row of costs, 29 bytes.\n');
export const SNAPSHOT = Buffer.from('PAR1 one row PAR1');

/** Publishes into a new folder; `serve` starts a server that has read nothing yet, beside heads that all servers remember. */
export async function publishCompany() {
  const root = join(await promises.realpath(await promises.mkdtemp(join(tmpdir(), 'crossfoot-serve-'))), 'o');
  const store = await openFolderStore({ fs: promises, root, randomUuid: randomUUID });
  const files = new Map([
    ['snapshot', SNAPSHOT],
    ['costs', COSTS],
  ]);
  await publishNow(store, aBuild('older', MIDNIGHT));
  await publishNow(store, aBuild('newer', MIDNIGHT + DAY, files));
  const keys: string[] = [];
  for await (const key of store.list('v1/a/7/')) keys.push(key);

  /** The path of the newest object whose key ends so. */
  function pathOf(ending: string): string {
    return join(root, keys.findLast((key) => key.endsWith(ending)) ?? 'nothing');
  }

  const heads = new Map<bigint, SeenHead>();
  const memory: SeenHeads = {
    read: async (account_id) => heads.get(account_id) ?? null,
    write: async (account_id, head) => void heads.set(account_id, head),
  };

  async function serve() {
    const clock = { now: MIDNIGHT + DAY + HOUR };
    const checkHead = watchHeads([memory]);
    const snapshots = createReader({ store, now: () => clock.now, onFault: () => undefined, checkHead });
    const logger = createLogger('silent');
    const { app } = fakeApp({ snapshots });
    const server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger, paths: knownPaths(app) });
    return { clock, port: server.port, close: () => server.close(0) };
  }

  return { pathOf, serve, remove: () => promises.rm(join(root, '..'), { recursive: true }) };
}
