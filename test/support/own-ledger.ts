/** The way of a company's own data, for the tests of a file: its ledger, its folder, and the commands in the test's own process. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { programHere } from '../commands/program-here.ts';
import { type TestDatabase, createDatabase } from './database.ts';
import { SEED } from './signing.ts';

export interface OwnLedger {
  readonly folder: () => string;
  /** Runs a command; returns what it prints. */
  readonly run: (...args: readonly string[]) => Promise<readonly string[]>;
  /** The id of the first account. */
  readonly account: () => Promise<string>;
  /** The cells of all time of the whole portfolio, as the newest snapshot has them. */
  readonly totals: (account: string) => Promise<(column: string) => string | undefined>;
}

/** Makes the ledger and the folder before the tests of the file. */
export function ownLedger(): OwnLedger {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    [database, folder] = await Promise.all([createDatabase(), mkdtemp(join(tmpdir(), 'crossfoot-own-'))]);
  });
  afterAll(async () => {
    await database.drop();
    // A process that a command started may still write its compiled modules.
    await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  });
  const run: OwnLedger['run'] = async (...args) => {
    const { program, printed } = programHere({
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url('cf_service'),
      LEDGER_URL: database.url('cf_reader'),
      SIGNING_KEYS: SEED,
      OWNER_URL: database.url('cf_owner'),
    });
    await program.parseAsync(args, { from: 'user' });
    return printed;
  };
  return {
    folder: () => folder,
    run,
    account: async () => {
      const listed = JSON.parse((await run('account', 'list', '--json')).join('\n')) as { id?: number }[];
      return String(listed[0]?.id ?? 0);
    },
    totals: async (account) => {
      const totals = join(folder, 'totals.csv');
      await run('csv', 'reported_totals', '--account', account, '--to', totals);
      const [head = '', ...rows] = (await readFile(totals, 'utf8')).trim().split(/\r?\n/);
      const all = rows
        .map((row) => row.split(','))
        .find((row) => row.includes('portfolio') && row.includes('all'));
      return (column) => all?.[head.split(',').indexOf(column)];
    },
  };
}
