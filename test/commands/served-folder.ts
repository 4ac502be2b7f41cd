/** A server of a folder of objects, for whichever token: the snapshots of account 1. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { createLogger } from '../../src/log.ts';
import { type Listener, listen } from '../../src/serve/http/server.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { fakeApp } from '../serve/fake-parts.ts';

const HOLDER = {
  token_id: 1n,
  account_id: 1n,
  user_id: 1n,
  kind: 'personal',
  api_access: true,
  reporting_enabled: true,
} as const;
const NOW = (): bigint => BigInt(Date.now()) * 1_000n;

/** Serves until it is closed; its addresses name `baseUrl`, or where it listens. */
export async function serveFolder(objects: string): Promise<Listener> {
  const store = await openFolderStore({ fs, root: objects, randomUuid: randomUUID });
  const snapshots = createReader({ store, now: NOW, onFault: () => undefined });
  let origin = '';
  const { app } = fakeApp({ snapshots, authenticate: async () => HOLDER, baseUrl: () => `${origin}/v1` });
  const server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger: createLogger('silent') });
  origin = `http://127.0.0.1:${server.port}`;
  return server;
}
