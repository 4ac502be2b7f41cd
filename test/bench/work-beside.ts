/** What others do in an account while its snapshot is built, and how long each of them takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { openClient } from '../../src/ledger/connect.ts';
import { inAccount, lockMonth, reopenMonth } from '../support/ledger-rows.ts';
import { median, p99 } from './rounds.ts';

export interface Waits {
  readonly work: string;
  readonly times: number;
  readonly median_ms: number;
  readonly p99_ms: number;
  readonly longest_ms: number;
}

interface WorkBeside {
  stop(): Promise<readonly Waits[]>;
}

const PAUSE_MS = 100;

/** Starts four sessions, which read costs, add them, change them, and close and reopen a month until `stop` is called. */
export async function workBeside(ownerUrl: string, readerUrl: string, account: bigint): Promise<WorkBeside> {
  const [reader, inserter, updater, closer] = [
    await open(readerUrl, 'cf_reader'),
    await open(ownerUrl, 'cf_owner'),
    await open(ownerUrl, 'cf_owner'),
    await open(ownerUrl, 'cf_owner'),
  ];
  const stopping = new AbortController();
  const running = [
    repeat('a page of costs read', stopping.signal, () =>
      inAccount(reader, account, () =>
        reader.query('select * from ledger.cost_entries where account_id = $1 order by id limit 50', [
          account,
        ]),
      ),
    ),
    repeat('a cost added', stopping.signal, () =>
      inAccount(inserter, account, () => inserter.query(ADD_COST, [account])),
    ),
    repeat('a cost changed', stopping.signal, (time) =>
      inAccount(updater, account, () => updater.query(CHANGE_COST, [account, (time * 7919) % 1000])),
    ),
    // This month is before any entry: closing it waits for the row lock in `ledger.account_gates`, and changes no entry.
    repeat('a month closed and reopened', stopping.signal, async () => {
      await inAccount(closer, account, () => lockMonth(closer, account, '2020-01-01'));
      await inAccount(closer, account, () => reopenMonth(closer, account, '2020-01-01'));
    }),
  ];
  return {
    stop: async () => {
      stopping.abort();
      const waits = await Promise.all(running);
      for (const client of [reader, inserter, updater, closer]) await client.end();
      return waits;
    },
  };
}

function open(url: string, role: string): Promise<Client> {
  return openClient({ url, role, applicationName: 'crossfoot bench beside', onError: () => undefined });
}

const ADD_COST = `
  insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, period_start, source_type)
  select $1, min(id), 10000, 'EUR', '2026-06-01', 'manual' from ledger.initiatives where account_id = $1`;

/** Changes one of the first thousand costs in a random block of 5,000, unless its month is locked. */
const CHANGE_COST = `
  update ledger.cost_entries c set notes = 'looked at' where account_id = $1 and id in (
    select min(id) + $2 + 5000 * (random() * 90)::integer from ledger.cost_entries where account_id = $1)
  and not exists (
    select from ledger.accounting_months m
    where m.account_id = c.account_id and m.month = c.booked_month and m.status = 'locked')`;

async function repeat(
  work: string,
  signal: AbortSignal,
  once: (time: number) => Promise<unknown>,
): Promise<Waits> {
  const times: number[] = [];
  while (!signal.aborted) {
    const began = performance.now();
    await once(times.length);
    times.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
  return {
    work,
    times: times.length,
    median_ms: median(times),
    p99_ms: p99(times),
    longest_ms: Math.max(0, ...times),
  };
}
