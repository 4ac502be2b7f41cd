/** Writes the types of the migrated database; a server of its own is started only when what they are made from has changed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrossfootError } from '../../src/errors.ts';
import { databaseTypes, databaseTypesHead } from './database-types.ts';

const PATH = 'src/database/schema.ts';

/** Gives the path of the file if it changed; with `check` nothing is written and a stale file is an error. */
export async function writeDatabaseTypes(
  root: URL,
  { check }: { readonly check: boolean },
): Promise<readonly string[]> {
  const file = new URL(PATH, root);
  const before = await readFile(file, 'utf8').catch(() => '');
  const head = await databaseTypesHead(root);
  if (before.startsWith(head)) return [];
  if (check) {
    throw new CrossfootError('generated_stale', `Not what it is made from: ${PATH}.`, {
      hint: 'Run `npm run generate` and commit what it writes.',
      data: { paths: [PATH] },
    });
  }
  await writeFile(file, await typesOfMigrated(new URL('schema', root).pathname, head));
  return [PATH];
}

async function typesOfMigrated(folder: string, head: string): Promise<string> {
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
  return await databaseTypes(client, head);
}
