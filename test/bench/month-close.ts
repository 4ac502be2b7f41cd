/** Closing a month of a large account: by a session that changed one entry before, against one that comes for it alone. */
import type { Client } from 'pg';
import { asOwner } from '../../src/run/as-owner.ts';
import { lockMonth } from '../support/ledger-rows.ts';
import { type Benchmark, figure } from './benchmark.ts';
import { sizeOf } from './ledgers/generated-ledger.ts';
import { inRounds, median, wallRatio } from './rounds.ts';

const ROWS = 1_000_000;
const ROUNDS = 3;

export const monthClose: Benchmark = {
  name: 'month-close',
  title: 'closing a month, which marks each of its entries as changed',
  run: async ({ rows, ledger }) => {
    const generated = await ledger();
    const account = await generated.accountOf(sizeOf(rows ?? ROWS));
    const inSession = <Result>(run: (owner: Client) => Promise<Result>): Promise<Result> =>
      asOwner(generated.databases, 'crossfoot bench', run);
    const { month, entries } = await inSession((owner) => largestOpenMonth(owner, account));
    const close = (owner: Client): Promise<void> =>
      undone(owner, account, () => lockMonth(owner, account, month));
    const { after, alone } = await inRounds(
      {
        after: () =>
          inSession(async (owner) => {
            await undone(owner, account, () => changeOneOfEach(owner, account));
            await close(owner);
          }),
        alone: () => inSession(close),
      },
      ROUNDS,
    );
    return [
      figure('month close: wall', median(alone.map(({ wall_s }) => wall_s)), 's', {
        against: `its ${entries} costs and approved value entries`,
        runs: ROUNDS,
      }),
      figure('month close: after a change of one entry', wallRatio(after, alone), 'times', {
        against: 'by a session of its own',
        runs: ROUNDS,
        target: { at_most: 1.5 },
      }),
    ];
  },
};

interface OpenMonth {
  readonly month: string;
  /** Its costs and approved value entries. */
  readonly entries: bigint;
}

/** The one with most costs of those that are not locked. */
async function largestOpenMonth(owner: Client, account: bigint): Promise<OpenMonth> {
  const { rows } = await owner.query<OpenMonth>(
    `select m.month::text, counted.costs + (
       select count(*) from ledger.value_entries v
       where v.account_id = m.account_id and v.period_month = m.month and v.status = 'approved') as entries
     from ledger.accounting_months m
     cross join lateral (
       select count(*) as costs from ledger.cost_entries c
       where c.account_id = m.account_id and c.booked_month = m.month) as counted
     where m.account_id = $1 and m.status <> 'locked'
     order by counted.costs desc, m.month limit 1`,
    [account],
  );
  if (rows[0] === undefined) throw new Error(`account ${account} has no month that is not locked`);
  return rows[0];
}

/** Makes the session plan what looks at changed entries: it keeps that plan for as long as it lasts. */
async function changeOneOfEach(owner: Client, account: bigint): Promise<void> {
  for (const table of ['cost_entries', 'value_entries']) {
    await owner.query(
      `update ledger.${table} set notes = notes where account_id = $1 and id =
         (select min(id) from ledger.${table} where account_id = $1)`,
      [account],
    );
  }
}

/** Runs `work` in a transaction of the account's that is rolled back, so that each round finds the same ledger. */
async function undone(owner: Client, account: bigint, work: () => Promise<void>): Promise<void> {
  await owner.query(`begin; set local app.account_id = '${account}'`);
  try {
    await work();
  } finally {
    await owner.query('rollback');
  }
}
