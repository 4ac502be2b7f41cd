import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Attempt, readAttempts, writeAttempt } from '../../src/run/builders/attempts.ts';
import { addWhyCommand } from '../../src/commands/why.ts';
import { processLife } from '../../src/processes.ts';
import { TABLES } from '../../src/tables/all.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { anAttempt } from '../run/builders/attempt.ts';
import { type Ran, runCommand } from './in-process.ts';
import { COMPILED } from './program.ts';
import { instantOf } from '../support/instant-of.ts';
import { SEED } from '../support/signing.ts';
import { itInSweeps } from '../support/sweeps.ts';

const UNCHANGED = '  the failed build changed nothing: the newest published snapshot is as it was';
const NO_QUEUE = 'the queue does not answer: whether a build waits or runs is unknown';
const JOB = new URL('../../jobs/build.ts', import.meta.url);

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-why-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

function run(...args: readonly string[]): Promise<Ran> {
  return runCommand(addWhyCommand, { DATA_DIR: dataDir }, 'why', ...args);
}

/** Builds account 1 as the product does, in a process of its own. */
async function build(ledgerUrl: string, signalAtFirstTable?: NodeJS.Signals): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: COMPILED,
    DATA_DIR: dataDir,
    LEDGER_URL: ledgerUrl,
    LOG_LEVEL: 'silent',
    SIGNING_KEYS: SEED,
  };
  const child = fork(JOB, ['1'], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  if (signalAtFirstTable !== undefined) child.once('message', () => child.kill(signalAtFirstTable));
  await once(child, 'close');
}

async function newest(): Promise<Attempt | undefined> {
  return (await readAttempts(dataDir, '1')).attempts[0];
}

describe('why after a real build', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase('template_company');
  });
  afterAll(() => database.drop());

  itInSweeps('says what was published, and where to see it', async () => {
    await build(database.url('cf_reader'));
    const attempt = await newest();
    expect(attempt).toMatchObject({ outcome: 'published', step: 'done', failure: null });
    expect(attempt?.tables.map(({ name }) => name).toSorted()).toEqual(
      TABLES.map(({ name }) => name).toSorted(),
    );
    // The table of the snapshot itself has one row.
    expect(attempt?.tables.find(({ name }) => name === 'snapshot')?.rows).toBe(1);
    expect(attempt?.tables.every(({ bytes, ms }) => bytes > 0 && ms >= 0)).toBe(true);
    const { printed } = await run();
    expect(printed).toEqual([
      'account 1',
      expect.stringMatching(
        new RegExp(
          `^  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, \\d+ s ago: published ${attempt?.snapshot_id}$`,
        ),
      ),
      // What fixtures/TOTALS.md leaves out: 3 costs, 5 of cash value, 2 of capacity, a bill and a card charge.
      '  12 amounts in BGN, CHF, EUR and KES are in no total, 6 of them until rates are imported; npx --no crossfoot status --amounts shows why',
      '  next: npx --no crossfoot snapshots --account 1',
      '        shows the readable snapshots',
      NO_QUEUE,
    ]);
  });

  it('says of an unreachable database the error, how far the build came and what to do', async () => {
    const nowhere = new URL(database.url('cf_reader'));
    nowhere.port = '1';
    await build(nowhere.href);
    const { printed } = await run('--account', '1');
    expect(printed).toEqual([
      'account 1',
      expect.stringMatching(
        /: FAILED after [\d.]+ m?s, at the start: store, publish log, database, the first table$/,
      ),
      expect.stringMatching(
        /^ {4}database_unreachable: crossfoot build could not connect as cf_reader: .*ECONNREFUSED/,
      ),
      '    Check LEDGER_URL (or DATABASE_URL, when that is not set), and that the database is up.',
      UNCHANGED,
      '  next: npx --no crossfoot build --account 1',
      '        once the database answers',
      NO_QUEUE,
    ]);
  });

  itInSweeps('distinguishes a killed build from a running one and from a stopped one', async () => {
    await build(database.url('cf_reader'), 'SIGKILL');
    const { printed } = await run();
    expect(printed[1]).toMatch(/: DIED without recording an error \(killed, or out of memory\), at /);
    expect(printed.at(-3)).toBe('  next: npx --no crossfoot build --account 1');
    await build(database.url('cf_reader'), 'SIGTERM');
    expect(await newest()).toMatchObject({
      outcome: 'failed',
      failure: { code: 'build_stopped', message: 'The build was stopped by SIGTERM before its end.' },
    });
  });
});

const REFUSED = anAttempt({
  began_at: instantOf('2026-07-15T02:00:00.000000Z'),
  ended_at: instantOf('2026-07-15T02:00:42.500000Z'),
  step: 'audit',
  tables_written: 5,
  last_table: 'reported_totals',
  outcome: 'failed',
  kept: '/data/spool/1/refused',
  failure: {
    code: 'audit_refused',
    message:
      'reported_totals fy2026-q1: cash_value_cents is 120000 cents, expected 119900 cents: the rows add up to it; nothing was published.',
    hint: 'The snapshot before stays in place.',
    error: 'CrossfootError audit_refused',
  },
});

it('why says what the audit refused, where the files are, and shows the nights before it', async () => {
  await writeAttempt(dataDir, REFUSED);
  const before = { outcome: 'published', snapshot_id: '20260714T020000Z' } as const;
  await writeAttempt(dataDir, anAttempt({ ...before, began_at: instantOf('2026-07-14T02:00:00.000000Z') }));
  const { printed } = await run();
  expect(printed.map((line) => line.replace(/\d+ d ago/, 'days ago'))).toEqual([
    'account 1',
    '  2026-07-15 02:00 UTC, days ago: FAILED after 42.50 s, at the control totals and the audit',
    `    audit_refused: ${REFUSED.failure?.message}`,
    '    The snapshot before stays in place.',
    '    its files, until the next build: /data/spool/1/refused',
    '  2026-07-14 02:00 UTC, days ago: published 20260714T020000Z',
    UNCHANGED,
    '  next: npx --no crossfoot build --account 1',
    '        once the rows named above are right in the ledger',
    NO_QUEUE,
  ]);
});

it.each<[Attempt['step'], string]>([
  ['start', 'at the start: store, publish log, database, the first table'],
  ['tables', 'at table 4 of '],
  ['audit', 'at the control totals and the audit'],
  ['publish', 'at publishing, after the audit passed'],
  ['done', 'at the end, after the snapshot was published'],
])('why says in words that a build came to the step %s', async (step, words) => {
  await writeAttempt(dataDir, { ...REFUSED, step, tables_written: 3, last_table: 'costs' });
  expect((await run()).printed[1]).toContain(words);
});

it('why cannot ask another machine, and says that the build runs there', async () => {
  // No process here has this id: Linux has none above 2^22.
  await writeAttempt(dataDir, anAttempt({ pid: 5_000_000 }));
  expect((await run()).printed[1]).toContain('still running as process 5000000 of another machine');
});

it('why says of a build that it died if its process id belongs to another program now', async () => {
  const here = { host: hostname(), pid: process.pid };
  await writeAttempt(dataDir, anAttempt({ ...here, life: await processLife(process.pid) }));
  expect((await run()).printed[1]).toContain(`still running as process ${process.pid} of ${hostname()}`);
  await writeAttempt(dataDir, anAttempt({ ...here, life: 'of an earlier program' }));
  expect((await run()).printed[1]).toContain('DIED without recording an error');
});

it('why prints the same attempts as JSON, each with the command to run next', async () => {
  await writeAttempt(dataDir, REFUSED);
  await writeAttempt(dataDir, anAttempt({ began_at: instantOf('2026-07-14T02:00:00.000000Z') }));
  const { printed } = await run('--json', '--last', '1');
  expect(JSON.parse(printed.join('\n'))).toEqual([
    {
      ...REFUSED,
      began_at: '2026-07-15T02:00:00.000000Z',
      ended_at: '2026-07-15T02:00:42.500000Z',
      next: {
        command: 'npx --no crossfoot build --account 1',
        why: 'once the rows named above are right in the ledger',
      },
      pending: null,
      queue_answers: false,
      damaged_snapshots: [],
      retracted_newest: null,
    },
  ]);
});

it('why says beside an own database that workers record their builds, and advises no new build', async () => {
  const LEDGER_URL = 'postgres://nobody@127.0.0.1:1/crossfoot';
  const own = { DATA_DIR: dataDir, LEDGER_URL, SIGNING_KEYS: SEED };
  const told = `no build is recorded in ${dataDir}: workers record theirs where they run; next: npx --no crossfoot status`;
  expect((await runCommand(addWhyCommand, own, 'why')).printed).toEqual([told, NO_QUEUE]);
  expect((await runCommand(addWhyCommand, own, 'why', '--account', '3')).printed).toEqual([
    `account 3: ${told}`,
    NO_QUEUE,
  ]);
});

it('why says what to do where nothing was built, and which file it could not read', async () => {
  expect((await run()).printed).toEqual(['nothing was built yet; next: npx --no crossfoot build', NO_QUEUE]);
  expect((await run('--account', '3')).printed).toEqual([
    'account 3: nothing was built yet; next: npx --no crossfoot build --account 3',
    NO_QUEUE,
  ]);
  await writeAttempt(dataDir, REFUSED);
  const cut = join(dataDir, 'attempts/1/20260716T020000000000Z-7.json');
  await writeFile(cut, '');
  expect((await run()).said).toEqual([`${cut} is not a record of a build`]);
});
