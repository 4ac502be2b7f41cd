/** No command of one account reads or prints what another account has: a sum of one tenant is no fault of the other. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import { isCrossfootError } from '../../src/errors.ts';
import { readLeftOutOfAccounts } from '../../src/ledger/moment/left-out.ts';
import type { CommandContext } from '../../src/run/context.ts';
import { addCost, addInitiative, inAccount } from '../support/ledger-rows.ts';
import { SEED } from '../support/signing.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { runCommand, type Ran } from '../commands/in-process.ts';
import { openPublishedFolder, type PublishedFolder } from '../commands/published-folder.ts';

/** 2^53 - 1, the largest amount of an entry. The dirham has no rate, so its costs are in no total. */
const MOST = 9_007_199_254_740_991n;

let published: PublishedFolder;
let owner: Client;
let env: Readonly<Record<string, string>>;
let snapshot: string;
let file: (name: string) => string;
beforeAll(async () => {
  published = await openPublishedFolder();
  owner = await published.database.client('cf_owner');
  snapshot = (await published.build()).id;
  file = (name) => join(published.objects, '..', name);
  const { database } = published;
  const urls = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  env = { ...published.env, ...urls };
});
afterAll(() => published.close());

const addAll = (program: Command, context: CommandContext): void => {
  for (const command of createProgram(context).commands) program.addCommand(command);
};
/** Commands that open the store to write need a key; with another than the snapshot's, `verify` would refuse that. */
const run = (...args: readonly string[]): Promise<Ran> => {
  const writes = ['build', 'prune', 'scrub'].includes(args[0] ?? '');
  return runCommand(addAll, { ...env, ...(writes && { SIGNING_KEYS: SEED }) }, ...args);
};

const nothing = (): void => undefined;

/** Every command that takes an account. */
function commands(): readonly string[] {
  const context = { env: {}, signal: new AbortController().signal, print: nothing, say: nothing };
  const under = (command: Command, path: readonly string[]): readonly string[] => [
    ...(command.options.some(({ long }) => long === '--account') ? [path.join(' ')] : []),
    ...command.commands.flatMap((each) => under(each, [...path, each.name()])),
  ];
  return under(createProgram(context), []);
}

/** How each is called for account 1, which has a snapshot. A build is a process of its own, so it is a sweep; a moment lasts minutes. */
const called = (): Readonly<Record<string, readonly string[] | null>> => ({
  load: [file('cost_entries.csv')],
  'rates convert': [],
  build: null,
  moment: null,
  enqueue: [],
  why: [],
  snapshots: [],
  verify: [snapshot],
  diff: [snapshot, snapshot],
  csv: ['costs', '--to', file(`costs ${randomUUID()}.csv`)],
  warehouse: ['duckdb'],
  pin: [snapshot, '--name', 'march'],
  unpin: [snapshot, '--name', 'march'],
  retract: [snapshot, '--reason', 'A test'],
  prune: ['--dry-run'],
  scrub: [],
  'token issue': ['--kind', 'reporting', '--name', 'w', '--user', '1'],
  'token list': [],
  'clients list': [],
  'clients end': ['1'],
  'token revoke': ['1'],
  'reporting off': ['--by', '1'],
  'reporting on': ['--by', '1'],
  'deliver add': [file('delivered')],
  'deliver list': [],
  'deliver test': ['1'],
  'deliver remove': ['1'],
  'webhooks add': ['https://hooks.example/a'],
  'webhooks list': [],
  'webhooks test': ['1'],
  'webhooks rotate': ['1'],
  'webhooks remove': ['1'],
  'webhooks deliveries': [],
  'people invite': ['ada@example.com', '--role', 'viewer'],
  'people list': [],
  'people remove': ['ada@example.com'],
  'month close': ['2026-01', '--by', '1'],
  'month reopen': ['2026-01', '--by', '1', '--reason', 'A test'],
});

/** Those that succeed here; the others may say of account 1 what stops them. */
const SUCCEED = [
  'load',
  'rates convert',
  'why',
  'snapshots',
  'verify',
  'csv',
  'scrub',
  'prune',
  'token list',
  'clients list',
  'people list',
];

/** What account 2 alone has, and a number without words. */
const FOREIGN = /AED|account 2\b|out of range|9007199254740|9,007,199,254,740|18014398509481|99079191802150/;

const text = ({ printed, said, error }: Ran): string =>
  [...printed, ...said, error instanceof Error ? error.message : ''].join('\n');

/** Costs of account 2 in dirhams. */
async function addDirhams(amounts: readonly bigint[], times = 1): Promise<void> {
  await inAccount(owner, 2n, async () => {
    const home = { account: 2n, person: 1n, initiative: await addInitiative(owner, 2n) };
    for (const amount_cents of amounts) {
      const id = await addCost(owner, home, { amount_cents, currency: 'AED' });
      await owner.query(
        `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, cost_category, source_type)
         select account_id, initiative_id, amount_cents, currency, cost_category, source_type
         from ledger.cost_entries, generate_series(2, $1) where account_id = 2 and id = $2`,
        [times, id],
      );
    }
  });
}

async function writeCost(ref: string, initiative: bigint): Promise<void> {
  const header = 'source_ref,initiative_id,amount,currency,period_start,source_type,cost_category';
  await writeFile(
    file('cost_entries.csv'),
    `${header}\n${ref},${initiative},10.00,USD,2026-07-01,csv,opex\n`,
  );
}

describe.each([
  ['2^53', async () => addDirhams([MOST, 1n]), '9007199254740992 cents'],
  // 1,100 entries and what is there already: (1,100 + 1) × (2^53 - 1) + 1 = 9,916,926,379,469,831,092.
  ['2^63', async () => addDirhams([MOST], 1_100), '9916926379469831092 cents'],
])('while account 2 leaves out more than %s cents', (power, prepare, sum) => {
  beforeAll(prepare);

  it('every command with --account has its case here', () => {
    expect(commands().toSorted()).toEqual(Object.keys(called()).toSorted());
  });

  it('no command of account 1 mentions account 2, or fails because of it', async () => {
    const failed: string[] = [];
    for (const [name, args] of Object.entries(called())) {
      if (args === null) continue;
      await writeCost(`${name} ${power}`, 101n);
      const ran = await run(...name.split(' '), ...args, '--account', '1');
      const { error } = ran;
      const fails = error !== undefined && SUCCEED.includes(name);
      if (fails || FOREIGN.test(text(ran)) || (error !== undefined && !isCrossfootError(error)))
        failed.push(`${name}: ${text(ran)}`);
    }
    expect(failed).toEqual([]);
  });

  it('a load without --account tells only of the accounts in its files', async () => {
    const header = 'account_id,id,initiative_id,amount_cents,currency,period_start,source_type,cost_category';
    await writeFile(
      file('cost_entries.csv'),
      `${header}\n1,${power === '2^53' ? 9001 : 9002},101,500,USD,2026-07-01,csv,opex\n`,
    );
    const ran = await run('load', file('cost_entries.csv'));
    expect([ran.error, FOREIGN.test(text(ran))]).toEqual([undefined, false]);
  });

  it.each([
    [1n, 0],
    [2n, 1], // the dirhams
  ])('a load of account %s reads the amounts of no other account', async (account, least) => {
    const read = new Set<bigint>();
    const query = async (sql: string, values: unknown[]) => {
      const result = await owner.query<{ account_id?: bigint }>(sql, values);
      for (const { account_id } of result.rows) if (account_id !== undefined) read.add(account_id);
      return result;
    };
    await readLeftOutOfAccounts(Object.create(owner, { query: { value: query } }) as Client, [account]);
    expect([...read].filter((each) => each !== account)).toEqual([]);
    expect(read.size).toBeGreaterThanOrEqual(least);
  });

  it('a load of account 2 says the sum in words, and succeeds', async () => {
    const { rows } = await owner.query<{ id: bigint }>(
      "select id from ledger.initiatives where account_id = 2 and title = 'Invoices' limit 1",
    );
    await writeCost(`own ${power}`, rows[0]?.id ?? 0n);
    const ran = await run('load', file('cost_entries.csv'), '--account', '2');
    expect(ran.error).toBeUndefined();
    expect(ran.printed.find((line) => line.includes('AED'))).toBe(
      `account 2: All time, cost left out in AED: amount is ${sum}; a sum may be at most 9007199254740991 cents (2^53 - 1) above or below zero. ` +
        'Correct the largest amounts of that window in the ledger, then build again.',
    );
  });

  itInSweeps('a build of account 1 is published', async () => {
    const ran = await run('build', '--account', '1');
    expect([ran.error, FOREIGN.test(text(ran))]).toEqual([undefined, false]);
  });
});
