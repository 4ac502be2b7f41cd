/** Writes the files made from the migrated database. A database is started only when what they are made from has changed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { CrossfootError } from '../../src/errors.ts';
import { databaseTypes, databaseTypesHead } from './database-types.ts';
import { LEDGER_TABLES_FILE, ledgerTablesDigest, ledgerTablesText } from './ledger-tables.ts';

const TYPES_FILE = 'src/database/schema.ts';

/** Returns the paths of the files that changed; with `check` nothing is written, and a stale file is an error. */
export async function writeDatabaseFiles(
  root: URL,
  { check }: { readonly check: boolean },
): Promise<readonly string[]> {
  const head = await databaseTypesHead(root);
  const digest = await ledgerTablesDigest(root);
  const stale = [
    ...((await read(TYPES_FILE, root)).startsWith(head) ? [] : [TYPES_FILE]),
    ...((await read(LEDGER_TABLES_FILE, root)).includes(digest) ? [] : [LEDGER_TABLES_FILE]),
  ];
  if (stale.length === 0) return [];
  if (check) {
    throw new CrossfootError('generated_stale', `Not what it is made from: ${stale.join(', ')}.`, {
      hint: 'Run `npm run generate` and commit what it writes.',
      data: { paths: stale },
    });
  }
  await inMigratedDatabase(new URL('schema', root).pathname, async (client) => {
    await writeFile(new URL(TYPES_FILE, root), await databaseTypes(client, head));
    await writeFile(new URL(LEDGER_TABLES_FILE, root), await ledgerTablesText(client, root));
  });
  return stale;
}

async function read(path: string, root: URL): Promise<string> {
  return await readFile(new URL(path, root), 'utf8').catch(() => '');
}

async function inMigratedDatabase(folder: string, run: (client: ClientBase) => Promise<void>): Promise<void> {
  const { startEmbedded } = await import('../../src/embedded/embedded.ts');
  const { migrate } = await import('../../src/ledger/migrate/migrate.ts');
  const { openClient } = await import('../../src/ledger/connect.ts');
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-generate-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startEmbedded({ dataDir, durable: false });
  cleanup.defer(() => server.stop());
  await migrate({ adminUrl: server.adminUrl, folder });
  const client = await openClient({
    url: server.adminUrl,
    role: 'cf_owner',
    applicationName: 'crossfoot generate',
    onError: () => undefined,
  });
  cleanup.defer(() => client.end());
  await run(client);
}
