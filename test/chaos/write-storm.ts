/**
 * Writers that move money about as fast as they can and never make or lose a cent: between costs, between approved
 * values, from one initiative to another; loads of many rows; and a bookkeeper who closes months and opens them again,
 * noting what each held.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  type Founded,
  addCost,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
  lockMonth,
  reopenMonth,
} from '../support/ledger-rows.ts';
import type { TestDatabase } from '../support/database.ts';
import { type BulkLoads, bulkLoads } from './bulk-loads.ts';
import { type Chance, chanceOf } from './chance.ts';

const INITIATIVES = 8;
const ENTRIES = 120;
const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04'] as const;
const WRITERS = 4;
const CLOSED_MS = 50;
/** What `addCost` and `addValue` give each entry. */
const COST_CENTS = 10_000n;
const VALUE_CENTS = 50_000n;
const MONTH_IS_LOCKED = '23001';
/** Two writers met each other the other way round, or a close came between: as in any ledger, the writer tries again. */
const TRIED_AGAIN = new Set([MONTH_IS_LOCKED, '40001', '40P01']);

/** What the costs of a month came to while it was closed. */
export interface Close {
  readonly month: string;
  readonly cents: bigint;
}

export interface WriteStorm {
  readonly account: bigint;
  /** What all costs and all values come to, always. */
  readonly cents: { readonly costs: bigint; readonly value: bigint };
  readonly closes: readonly Close[];
  readonly loads: BulkLoads['counts'];
  /** Transactions committed so far. */
  committed(): number;
  /** Ends it, and throws what broke a writer or is missing of a load. */
  stop(): Promise<void>;
}

/** Founds an account and lets the storm loose on it. */
export async function startStorm(database: TestDatabase, seed: number): Promise<WriteStorm> {
  const owner = await database.client('cf_owner');
  const home = await foundAccount(owner, { reporting_enabled_at: '2026-01-01Z' });
  const initiatives = [home.initiative];
  while (initiatives.length < INITIATIVES) initiatives.push(await addInitiative(owner, home.account));
  const costs: bigint[] = [];
  const values: bigint[] = [];
  for (let entry = 0; entry < ENTRIES; entry += 1) {
    const month = MONTHS[entry % MONTHS.length] ?? MONTHS[0];
    const row = { period_start: `${month}-01`, period_end: `${month}-28` };
    const of: Founded = { ...home, initiative: initiatives[entry % INITIATIVES] ?? home.initiative };
    costs.push(await addCost(owner, of, row));
    values.push(await addValue(owner, of, row));
  }
  let committed = 0;
  const over = new AbortController();
  const closes: Close[] = [];
  const storming: Promise<void>[] = [];
  for (let writer = 0; writer < WRITERS; writer += 1) {
    storming.push(write(await database.client('cf_writer'), chanceOf(seed + writer)));
  }
  storming.push(keepBooks(await database.client('cf_writer'), chanceOf(seed - 1)));
  const { account } = home;
  const loads = bulkLoads({ database, account, initiatives, months: MONTHS, chance: chanceOf(seed - 2) });
  storming.push(loads.run(over.signal));
  // Until the storm is stopped, an error of one of them is no unhandled rejection.
  for (const each of storming) each.catch(() => undefined);

  async function write(db: Client, chance: Chance): Promise<void> {
    while (!over.signal.aborted) {
      const [table, entries] = chance.happens(0.5) ? ['cost_entries', costs] : ['value_entries', values];
      const [one, other] = [chance.oneOf(entries), chance.oneOf(entries)];
      const cents = chance.below(500);
      const statements = chance.happens(0.3)
        ? `update ledger.${table} set initiative_id = ${chance.oneOf(initiatives)} where id = ${one}`
        : `update ledger.${table} set amount_cents = amount_cents - ${cents} where id = ${one};
           update ledger.${table} set amount_cents = amount_cents + ${cents} where id = ${other}`;
      await inTransaction(db, statements);
    }
  }

  async function keepBooks(db: Client, chance: Chance): Promise<void> {
    while (!over.signal.aborted) {
      const month = chance.oneOf(MONTHS);
      const day = `${month}-01`;
      await inAccount(db, home.account, async () => {
        await lockMonth(db, home.account, day);
        const { rows } = await db.query<{ cents: bigint; locked_at: string }>(
          `select (select sum(amount_cents)::bigint from ledger.cost_entries
                   where account_id = $1 and period_start = $2::date) as cents,
                  locked_at::text from ledger.accounting_months where account_id = $1 and month = $2::date`,
          [home.account, day],
        );
        const [row] = rows;
        if (row === undefined) throw new Error('a month that was closed has no row');
        closes.push({ month, cents: row.cents });
      });
      // Writers must get their turn before the month is closed again.
      await sleep(CLOSED_MS);
      await inAccount(db, home.account, () => reopenMonth(db, home.account, day));
    }
  }

  async function inTransaction(db: Client, statements: string): Promise<void> {
    try {
      await db.query(`begin; set local app.account_id = '${home.account}'; ${statements}; commit`);
      committed += 1;
    } catch (error) {
      await db.query('rollback');
      const { code } = error as { readonly code?: string }; // an error of PostgreSQL has one
      if (code === undefined || !TRIED_AGAIN.has(code)) throw error;
    }
  }

  return {
    account: home.account,
    cents: { costs: COST_CENTS * BigInt(ENTRIES), value: VALUE_CENTS * BigInt(ENTRIES) },
    closes,
    loads: loads.counts,
    committed: () => committed,
    async stop() {
      over.abort();
      await Promise.all(storming);
      await loads.verify();
    },
  };
}
