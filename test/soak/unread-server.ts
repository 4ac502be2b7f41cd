/**
 * The server that `npm run campaign -- unread` measures, in a process of its own: the real listener over the checked
 * reading of a folder store. Each download reads the next of many files, so the block cache is too small to share what
 * is held.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '../../src/log.ts';
import { listen } from '../../src/serve/http/server.ts';
import { CheckedBytes } from '../../src/snapshot/read/checked-bytes.ts';
import { openStream, readChecked } from '../../src/snapshot/read/checked-read.ts';
import { BLOCK_BYTES } from '../../src/snapshot/format/digest.ts';
import type { CheckedFile } from '../../src/snapshot/read/file-blocks.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { fakeApp, FakeSnapshots } from '../serve/fake-parts.ts';

const [folder = '', files = '1', size = '1'] = process.argv.slice(2);
const size_bytes = Number(size);
const CACHE_BYTES = 64 * 1024 * 1024; // the reader of a server has as much

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const store = await openFolderStore({ fs: promises, root: join(folder, 'store'), randomUuid: randomUUID });
const stored: CheckedFile[] = [];
for (let index = 0; index < Number(files); index += 1) {
  const bytes = randomBytes(size_bytes);
  const digests: Buffer[] = [];
  for (let at = 0; at < size_bytes; at += BLOCK_BYTES)
    digests.push(sha256(bytes.subarray(at, at + BLOCK_BYTES)));
  const blocks = Buffer.concat(digests);
  const [key, blocks_key] = [`v1/probe/${randomUUID()}`, `v1/probe/${randomUUID()}`];
  await store.create(key, bytes);
  await store.create(blocks_key, blocks);
  const blocks_sha256 = sha256(blocks).toString('hex');
  stored.push({ key, blocks_key, size_bytes, block_bytes: BLOCK_BYTES, blocks_sha256 });
}

class StoredFiles extends FakeSnapshots {
  readonly #cache = new CheckedBytes(CACHE_BYTES);

  override async latest(account_id: bigint) {
    const snapshot = await super.latest(account_id);
    if (snapshot === null) return null;
    return { ...snapshot, tables: snapshot.tables.map((table) => ({ ...table, size_bytes })) };
  }

  override async openTable() {
    const file = stored[this.opened % stored.length];
    this.opened += 1;
    if (file === undefined) throw new Error('the number of files must be at least 1');
    return await openStream(readChecked(store, file, 0, size_bytes - 1, { cache: this.#cache }));
  }
}

const { app } = fakeApp({ snapshots: new StoredFiles() });
const server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger: createLogger('error') });
process.once('SIGTERM', () => void server.close(0));
process.stdout.write(`ready http://127.0.0.1:${server.port}\n`);
