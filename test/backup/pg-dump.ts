/**
 * `npm run campaign -- backup`: the ledger dumped by `pg_dump` as cf_backup and restored by `pg_restore` is the same,
 * row for row. Needs both programs, of PostgreSQL 18 or later, and exits 2 naming what is missing.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogins } from '../../src/embedded/logins.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import { migrate } from '../../src/ledger/migrate/migrate.ts';
import { asAdmin, createDatabase, databaseUrl } from '../support/cluster.ts';
import { loadCompany } from '../support/company.ts';

// The embedded server's own version: an older program refuses to dump a newer server.
const LEAST_VERSION = 18;

/** What keeps the program from being used, or nothing. */
function missing(program: string): string | undefined {
  const { stdout, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (error !== undefined) return `${program} is not on the PATH`;
  const version = /\) (\d+)/.exec(stdout)?.[1] ?? 'unknown';
  return Number(version) >= LEAST_VERSION
    ? undefined
    : `${program} is version ${version}, not ${LEAST_VERSION} or later`;
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
}

/** Rows and a digest of every table of the product, one line each. */
const digests = (adminUrl: string, database: string): Promise<string[]> =>
  asAdmin(databaseUrl(adminUrl, database), async (admin) => {
    const tables = await admin.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
       where relkind = 'r' and relnamespace = any (array['ledger', 'vault', 'ops', 'migration']::regnamespace[])
       order by 1`,
    );
    const lines: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await admin.query<{ line: string }>(
        `select concat_ws(' ', '${name}', count(*), md5(string_agg(r::text, e'\\n' order by r::text collate "C"))) as line
         from ${name} r`,
      );
      lines.push(rows[0]?.line ?? name);
    }
    return lines;
  });

async function restoredEqual(folder: string): Promise<void> {
  const server = await startEmbedded({ dataDir: folder, durable: false });
  try {
    const { adminUrl } = server;
    await createDatabase(adminUrl, 'original', 'template0');
    await createDatabase(adminUrl, 'restored', 'template0');
    const schema = join(import.meta.dirname, '../../schema');
    await migrate({ adminUrl: databaseUrl(adminUrl, 'original'), folder: schema });
    const logins = await openLogins(adminUrl, ['cf_owner', 'cf_backup']);
    await loadCompany(databaseUrl(logins.cf_owner, 'original'));
    const file = join(folder, 'ledger.dump');
    run(
      'pg_dump',
      '--format=custom',
      '--enable-row-security',
      `--file=${file}`,
      databaseUrl(logins.cf_backup, 'original'),
    );
    run(
      'pg_restore',
      '--exit-on-error',
      '--single-transaction',
      `--dbname=${databaseUrl(adminUrl, 'restored')}`,
      file,
    );
    const [original, restored] = [await digests(adminUrl, 'original'), await digests(adminUrl, 'restored')];
    const different = original.filter((line, index) => line !== restored[index]);
    if (original.length !== restored.length || different.length > 0) {
      throw new Error(`the restored ledger differs: ${different.join('; ')}`);
    }
    process.stdout.write(`1 passed, 0 failed: ${original.length} tables are equal\n`);
  } finally {
    await server.stop();
  }
}

const lacking = ['pg_dump', 'pg_restore'].map(missing).filter((reason) => reason !== undefined);
if (lacking.length > 0) {
  process.stderr.write(`${lacking.join('; ')}\n`);
  process.exitCode = 2;
} else {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-backup-'));
  try {
    await restoredEqual(folder);
  } catch (error) {
    process.stderr.write(`0 passed, 1 failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
