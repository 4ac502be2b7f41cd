/** Many writers of one account at once, each with pauses before, between and after what it writes. */
import type { Client } from 'pg';
import { type Founded, type Row, inAccount, insert } from '../../support/ledger-rows.ts';

/** How a writer writes: so many transactions, each pausing for so many seconds at most before it writes, and after. */
interface Temper {
  readonly transactions: number;
  readonly before: number;
  readonly within: number;
}

const QUICK: Temper = { transactions: 16, before: 0.05, within: 0.05 };

/** Ways to be slow, by the place of a writer among the others, who are quick. */
export const TEMPERS = {
  /** A third dawdle before they write, in a transaction that has begun. */
  dawdle: (index) => (index % 3 === 0 ? { transactions: 5, before: 0.5, within: 0.01 } : QUICK),
  /** Two hold what they wrote for long. */
  hold: (index) => (index < 2 ? { transactions: 5, before: 0.2, within: 0.2 } : QUICK),
} as const satisfies Record<string, (index: number) => Temper>;

/** A number from 0 to 1, the same series for the same seed (mulberry32). */
export type Chance = () => number;

export function chanceFrom(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Rows of every table that is served as a list; `mark` is told by no other writer. */
function newRows(
  { initiative, person }: Founded,
  { metric, bill }: Pick<WriterParts, 'metric' | 'bill'>,
  mark: string,
): readonly [string, Row][] {
  const entry = { initiative_id: initiative, amount_cents: 100, currency: 'USD', source_type: 'manual' };
  const decision = {
    initiative_id: initiative,
    subject_title: 'Invoices',
    outcome: 'continue',
    stage_before: 'live',
    stage_after: 'live',
    rationale: mark,
    cash_value_cents: 1,
    freed_capacity_cents: 0,
    cost_to_date_cents: 1,
    currency: 'USD',
    decided_by_id: person,
    decided_at: '2026-04-05Z',
  };
  return [
    ['initiatives', { title: mark, stage: 'live' }],
    ['cost_entries', entry],
    ['value_entries', { ...entry, status: 'draft' }],
    ['metrics', { metric_key: mark, name: mark }],
    ['observations', { metric_id: metric, value: 1, role: 'reading', source_type: 'manual' }],
    ['portfolio_decisions', decision],
    ['connections', { platform_key: 'books', status: 'active' }],
    ['usage', { bill_id: bill, used_on: '2026-04-10', model: mark, unit: 'requests', quantity: 1 }],
  ];
}

/** What may be changed of a row without changing what it is. */
const CHANGES: Readonly<Record<string, string>> = {
  initiatives: "description = 'changed'",
  cost_entries: "notes = 'changed'",
  value_entries: "notes = 'changed'",
  metrics: "description = 'changed'",
  observations: 'value = value + 1',
  connections: "description = 'changed'",
  usage: 'quantity = quantity + 1',
};

export interface WriterParts {
  readonly client: Client;
  readonly home: Founded;
  readonly metric: bigint;
  /** The bill of all usage. */
  readonly bill: bigint;
  /** Which of the writers it is. */
  readonly index: number;
  readonly slowly: keyof typeof TEMPERS;
  readonly tables: readonly string[];
  readonly chance: Chance;
}

/** Inserts rows and changes its own of earlier transactions, so that no two writers wait for each other. */
export async function writeSlowly({
  client,
  home,
  metric,
  bill,
  index,
  slowly,
  tables,
  chance,
}: WriterParts): Promise<void> {
  const mine: { table: string; id: bigint }[] = [];
  const pick = <Each>(from: readonly Each[]): Each | undefined => from[Math.floor(chance() * from.length)];
  const { transactions, before, within } = TEMPERS[slowly](index);
  const pause = (most: number) => client.query('select pg_sleep($1)', [chance() * most]);
  for (let turn = 0; turn < transactions; turn += 1) {
    await inAccount(client, home.account, async () => {
      await pause(before);
      const rows = newRows(home, { metric, bill }, `writer_${index}.${turn}`);
      const fresh = pick(rows.filter(([table]) => tables.includes(table)));
      if (fresh !== undefined) {
        const [table, row] = fresh;
        const id = await insert(client, `ledger.${table}`, { account_id: home.account, ...row });
        if (table in CHANGES) mine.push({ table, id });
      }
      await pause(within);
      const own = pick(mine);
      if (own !== undefined) {
        await client.query(`update ledger.${own.table} set ${CHANGES[own.table]} where id = $1`, [own.id]);
      }
      await pause(within);
    });
  }
}
