/**
 * The freeze test over generated ledgers: inside the snapshot's moment and after everything changed. `npm run campaign --
 * as-of` runs it over fifty; the seeds stand in the names of the tests.
 */
import { bigInt, sample } from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { COMPANION_SET } from '../../../src/tables/companions.ts';
import { SUMS_SET } from '../../../src/tables/sums.ts';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import { seedAccount } from '../../../tools/seed/seed-account.ts';
import { DAY, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, change, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { inAccount, lockMonth, reopenMonth } from '../../support/ledger-rows.ts';
import { asOf, sameEverywhere, sameTotals } from './as-of-walk.ts';
import { type Ask, figuresApp } from './figures-app.ts';

const TODAY = '2026-07-15';
const LEDGERS = Number(process.env['FROZEN_LEDGERS'] ?? 3);
const SIZE = { rows: 150, initiatives: 20, years: 3, inputs: 0 };
const SCOPED = ['all', '1yr', 'fy2025', 'fy2026-q1'];

let harness: BuildHarness;
let checks: SetChecks;
let owner: Client;
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readChecksBeside([COMPANION_SET, SUMS_SET])]);
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());

/** Reopens a locked month, edits, adds to and deletes entries that no lock holds, and locks another month. */
async function upheave(account_id: bigint): Promise<void> {
  const own = `account_id = ${account_id}`;
  const months = await owner.query<{ month: string; status: string }>(
    `select month::text, status from ledger.accounting_months where ${own} order by month`,
  );
  const locked = months.rows.find(({ status }) => status === 'locked');
  const open = months.rows.findLast(({ status }) => status !== 'locked');
  if (locked === undefined || open === undefined) throw new Error('no month to reopen, or none to lock');
  await inAccount(owner, account_id, () => reopenMonth(owner, account_id, locked.month));
  const editable = `${own} and source_type = 'manual' and not exists (
    select from ledger.accounting_months m
    where m.${own} and m.month = e.booked_month and m.status = 'locked')`;
  await change(
    owner,
    `update ledger.cost_entries e set amount_cents = amount_cents + 100 where ${editable};
     delete from ledger.cost_entries where ${own} and id = (select max(id) from ledger.cost_entries e where ${editable});
     update ledger.value_entries set notes = 'again' where ${own} and status <> 'approved';
     update ledger.accounts set fiscal_year_start_month = fiscal_year_start_month % 12 + 1 where id = ${account_id};
     update ledger.initiatives set title = title || ' again', department = 'Another' where ${own};
     update ledger.metrics set name = name || ' again' where ${own}`,
    account_id,
  );
  await inAccount(owner, account_id, () => lockMonth(owner, account_id, open.month));
}

const seeds = sample(bigInt({ min: 1n, max: 1_000_000n }), LEDGERS);
describe.each(seeds)('an account generated from seed %s', (seed) => {
  let account_id: bigint;
  let objects: Map<string, Uint8Array>;
  beforeAll(async () => {
    account_id = await seedAccount(owner, { ...SIZE, seed }, () => undefined);
    objects = new Map();
    await harness.build({ account_id, store: memoryStore(objects), checksBeside: checks });
  });

  /** A new application, which has no answer in a cache. */
  const open = (): Ask =>
    figuresApp(harness.database, account_id, TODAY, {
      snapshots: readerAt(memoryStore(objects), () => AT + DAY),
    });

  it('has live and as of its snapshot the same answers, and those of reported_totals', async () => {
    const ask = open();
    expect(await sameEverywhere(ask)).toBeGreaterThan(100);
    expect(await sameTotals(ask, objects)).toBeGreaterThan(100);
  });

  it('answers as of its snapshot the same bytes after edits, deletions, a lock and a reopened month', async () => {
    const { body } = await open()('/initiatives?limit=500');
    const ids = (body['data'] as { id: number }[]).map(({ id }) => id); // of the contract's shape
    const paths = [
      ...RESOURCES.map(({ name }) => `/${name}?limit=500`),
      ...SCOPED.map((window) => `/roi?window=${window}`),
      ...ids.flatMap((id) => [
        `/initiatives/${id}`,
        `/roi?initiative_id=${id}`,
        `/budgets?initiative_id=${id}`,
      ]),
    ];
    const answers = async (): Promise<readonly string[]> => {
      const ask = open();
      return await Promise.all(paths.map(async (path) => (await ask(asOf(path))).text));
    };
    const live = async () => (await open()('/roi')).body['total_cost_cents'];
    const [before, costs] = [await answers(), await live()];
    await upheave(account_id);
    expect(await answers()).toEqual(before);
    expect(await live()).not.toBe(costs);
  });
});
