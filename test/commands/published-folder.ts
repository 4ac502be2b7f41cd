/** A snapshot of the fixture company, built in this process into a folder, and copies of it to spoil. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildAccount } from '../../src/run/builders/build-account.ts';
import { builderSessions } from '../../src/run/builders/builder-sessions.ts';
import { builderStore } from '../../src/run/builders/builder-store.ts';
import { readSettings } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { sha256Hex } from '../../src/snapshot/format/digest.ts';
import { encodeManifest, readManifest } from '../../src/snapshot/format/manifest.ts';
import { SIGNATURE_FILES } from '../../src/snapshot/format/signature-files.ts';
import type { Store } from '../../src/store/store.ts';
import type { BuildLayout } from '../../src/store-settings.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

export interface PublishedFolder {
  readonly database: TestDatabase;
  /** Settings that lead to its store. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the store keeps its objects. */
  readonly objects: string;
  /** Builds account 1 and gives the snapshot's id and its folder in the store. `wrap` gives the store that the build uses. */
  build(
    wrap?: (store: Store) => Store,
    layout?: BuildLayout,
  ): Promise<{ readonly id: string; readonly folder: string }>;
  /** A copy of a folder of the store, elsewhere. */
  copy(folder: string): Promise<string>;
  close(): Promise<void>;
}

export async function openPublishedFolder(): Promise<PublishedFolder> {
  const database = await createDatabase('template_company');
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-published-'));
  const objects = join(root, 'objects');
  const storeSettings = {
    objectStore: pathToFileURL(objects),
    bucket: readSettings({}).bucket,
    signing: { ...readSettings({}).signing, folder: root },
  };
  const settings = { LEDGER_URL: database.url('cf_reader'), APP_URL: 'https://app.example' };
  const sessions = builderSessions(readSettings(settings));
  const { reader } = sessions;
  if (reader === null) throw new Error('the settings name a ledger');
  let copies = 0;
  return {
    database,
    env: { DATA_DIR: root },
    objects,
    async build(wrap = (store) => store, layout = 'objects') {
      const { snapshot_id } = await buildAccount({
        account_id: 1n,
        night: '2026-07-15',
        once: false,
        schedule: readSettings({}).schedule,
        sessions: reader,
        store: wrap(await builderStore(storeSettings)()), // a test may have removed the folder since
        spoolRoot: join(root, 'spool'),
        layout,
        signal: new AbortController().signal,
        onEvent: () => undefined,
        logger: createLogger('silent'),
      });
      return { id: snapshot_id, folder: await folderOf(objects, snapshot_id) };
    },
    async copy(folder) {
      copies += 1;
      const to = join(root, `copy ${copies}'s`); // a name that SQL and shells would stumble over
      await cp(folder, to, { recursive: true });
      return to;
    },
    async close() {
      await sessions[Symbol.asyncDispose]();
      await database.drop();
      // A builder that ends writes its compiled modules last.
      await rm(root, { recursive: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function folderOf(objects: string, id: string): Promise<string> {
  const log = join(objects, 'v1/a/1/log');
  for (const name of await readdir(log)) {
    const entry = JSON.parse(await readFile(join(log, name), 'utf8')) as {
      snapshot_id: string;
      prefix: string;
    };
    if (entry.snapshot_id === id) return join(objects, entry.prefix);
  }
  throw new Error(`no log entry names ${id}`);
}

/** Turns one bit in the middle of a file. */
export async function flipBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  await writeFile(path, bytes);
}

/** Writes another file of that name and makes the manifest vouch for it, as a forger would, who has no key to sign it. */
export async function forge(folder: string, name: string, change: (text: string) => string): Promise<void> {
  const bytes = Buffer.from(change(await readFile(join(folder, name), 'utf8')));
  const manifest = readManifest(await readFile(join(folder, 'manifest.json')));
  const files = manifest.files.map((file) =>
    file.name === name ? { name, size_bytes: bytes.length, sha256: sha256Hex(bytes) } : file,
  );
  await writeFile(join(folder, name), bytes);
  await writeFile(join(folder, 'manifest.json'), encodeManifest({ ...manifest, files }));
  for (const signature of SIGNATURE_FILES) await rm(join(folder, signature), { force: true });
}
