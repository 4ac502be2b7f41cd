/** Over generated ledgers: the stored comparison has the rows of a comparison made now, byte for byte. */
import { bigInt, sample } from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedAccount } from '../../tools/seed/seed-account.ts';
import { DAY, readerAt } from '../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, change, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { memoryStore } from '../store/memory-store.ts';
import { compareTools } from './compared.ts';
import { readDiff, rowsIn, rowsNow, storeNow, withoutEngine } from './stored-harness.ts';

const LEDGERS = Number(process.env['STORED_LEDGERS'] ?? 1);
const SIZE = { rows: 150, initiatives: 20, years: 3, inputs: 50 };
const NOW = AT + DAY;

let harness: BuildHarness;
let owner: Client;
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());

/** Edits and deletes what no locked month holds; every title gets another. */
async function edit(account_id: bigint): Promise<void> {
  const own = `account_id = ${account_id}`;
  const editable = `${own} and source_type = 'manual' and not exists (
    select from ledger.accounting_months m
    where m.${own} and m.month = e.booked_month and m.status = 'locked')`;
  await change(
    owner,
    `update ledger.cost_entries e set amount_cents = amount_cents + 100 where ${editable};
     delete from ledger.cost_entries where ${own} and id = (select max(id) from ledger.cost_entries e where ${editable});
     update ledger.accounts set fiscal_year_start_month = fiscal_year_start_month % 12 + 1 where id = ${account_id};
     update ledger.initiatives set title = title || ' "again", Süd' where ${own}`,
    account_id,
  );
}

it.each(sample(bigInt({ min: 1n, max: 1_000_000n }), LEDGERS))(
  'the stored comparison of a ledger of seed %s has the rows of one made now',
  async (seed) => {
    const account_id = await seedAccount(owner, { ...SIZE, seed }, () => undefined);
    const objects = new Map<string, Uint8Array>();
    const store = memoryStore(objects);
    await harness.build({ account_id, store, at: AT - DAY, night: '2026-07-14' });
    await edit(account_id);
    await harness.build({ account_id, store });
    const reader = readerAt(store, () => NOW);
    const [later, earlier] = await reader.list(account_id);
    if (later === undefined || earlier === undefined) throw new Error('two snapshots are published');
    const pair = { account_id, earlier, later };
    const tools = await compareTools(harness.root, reader);
    const rows = await rowsNow(pair, tools);
    const made = await readDiff(store, pair, tools, NOW);
    expect(made.changes.length).toBeGreaterThan(100);
    await storeNow(store, pair, tools, NOW);
    expect(rowsIn(objects).equals(rows)).toBe(true);
    expect(await readDiff(store, pair, withoutEngine(tools), NOW)).toEqual(made);
  },
);
