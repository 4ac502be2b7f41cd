/** Companion tables in real builds: beside the tables, without changing one byte of these, audited, and switched off. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import { COMPANION_SET, COMPANIONS } from '../../../src/tables/companions.ts';
import { type BuildHarness, change, openBuildHarness } from '../builder/real-build.ts';
import {
  buildAlone,
  bytesOf,
  damageFound,
  expectBeside,
  type PublishedBuild,
  refusing,
} from './built-set.ts';

let harness: BuildHarness;
let checks: SetChecks;
let built: PublishedBuild;
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readChecksBeside([COMPANION_SET])]);
  const owner = await harness.database.client('cf_owner');
  // A bill of which only a file counts what was used, and two quantities of a file of one day: its bill counts the tokens
  // itself, and has no images.
  await change(
    owner,
    `insert into ledger.provider_bills
      (account_id, id, connection_id, month, amount_cents, currency, ai_amount_cents, external_ref, created_at)
      values (1, 8901, 601, '2026-01-01', 3000, 'USD', 1000, 'inv-8901', '2026-02-02 05:00:00Z');
    insert into ledger.usage (account_id, id, bill_id, used_on, unit, quantity, load_source, load_ref, created_at)
      values (1, 8901, 8901, '2026-01-10', 'requests', 12, 'file', 'q-1', '2026-02-02 05:00:00Z'),
        (1, 8902, 801, '2026-04-10', 'input_tokens', 9, 'file', 'q-2', '2026-05-02 05:00:00Z'),
        (1, 8903, 801, '2026-04-10', 'images', 7, 'file', 'q-3', '2026-05-02 05:00:00Z')`,
  );
  built = await buildAlone(harness, checks);
});
afterAll(() => harness.close());

describe('the companion tables', () => {
  it('are named by the manifest without their counts, and change no byte beside them', async () => {
    const { snapshot, reader } = built;
    const without = await buildAlone(harness);
    expectBeside(COMPANION_SET, built, without);
    const { tables = [], later = [] } = snapshot.companions ?? {};
    expect([...tables, ...later].map((table) => Object.keys(table).toSorted())).toEqual(
      Object.values(COMPANIONS).map(() => ['blocks_sha256', 'name', 'sha256', 'size_bytes']),
    );
    // The first release refuses a manifest that names another table here. It reads no field that it does not know.
    expect(tables.map(({ name }) => name).toSorted()).toEqual([
      'api_budget_spend',
      'api_cost_entries',
      'api_decisions',
      'api_initiatives',
      'api_integrations',
      'api_metrics',
      'api_observations',
      'api_value_entries',
    ]);
    expect(later.map(({ name }) => name)).toEqual([
      'api_ai_usage',
      'api_usage_sums',
      'api_plan_value',
      'api_vendor_names',
    ]);
    const rows = await reader.openRows(1n, snapshot.snapshot_id, COMPANIONS.value_entries);
    const statuses = new Set<unknown>();
    for await (const { columns } of rows.read(['status']))
      for (const one of columns[0] ?? []) statuses.add(one);
    expect(statuses).toContain('draft');
    const report = Buffer.from(await reader.readReport(1n, snapshot.snapshot_id, COMPANION_SET));
    expect(report).toEqual(bytesOf(built, 'companions.json'));
    expect(JSON.parse(report.toString())).toMatchObject({
      tables: expect.arrayContaining([{ name: 'api_value_entries', row_count: rows.count }]) as unknown,
    });
    await expect(
      without.reader.readReport(1n, without.snapshot.snapshot_id, COMPANION_SET),
    ).rejects.toMatchObject({ code: 'not_found' });
    // What a reporting token opens knows no companion.
    const unknown = { code: 'not_found' };
    await expect(reader.openTable(1n, snapshot.snapshot_id, 'api_value_entries')).rejects.toMatchObject(
      unknown,
    );
    await expect(reader.readFile(1n, snapshot.snapshot_id, 'companions.json')).rejects.toMatchObject(unknown);
  });

  it('have the quantities of files without a cost, and none that its bill counts itself', async () => {
    const { snapshot, reader } = built;
    const usage = await reader.openRows(1n, snapshot.snapshot_id, COMPANIONS.ai_usage);
    const found: Record<'id' | 'bill' | 'quantity' | 'cents', bigint | string | null | undefined>[] = [];
    for await (const { rows, columns } of usage.read(['id', 'bill_id', 'quantity', 'cost_cents'])) {
      const [ids, bills, quantities, cents] = columns;
      for (let row = 0; row < rows; row += 1) {
        found.push({ id: ids[row], bill: bills[row], quantity: quantities[row], cents: cents[row] });
      }
    }
    const rest = -2n * 8901n;
    expect(
      found.filter(({ bill }) => bill === 8901n).toSorted((a, b) => Number(b.id) - Number(a.id)),
    ).toEqual([
      { id: 8901n, bill: 8901n, quantity: '12', cents: 0n },
      { id: rest, bill: 8901n, quantity: null, cents: 1000n },
      { id: rest - 1n, bill: 8901n, quantity: null, cents: 2000n },
    ]);
    expect(found.map(({ id }) => id)).not.toContain(8902n);
    expect(found.find(({ id }) => id === 8903n)).toMatchObject({ quantity: '7', cents: 0n });
  });

  it('are read by a scrub to their last byte, and so is the file with their counts', async () => {
    expect(await damageFound(built, [])).toEqual([]);
    const files = ['api_metrics.companion', 'companions.json'];
    expect(await damageFound(built, files)).toEqual(files);
  });

  it('are left out of the builds of an account that switched them off', async () => {
    const owner = await harness.database.client('cf_owner');
    await change(owner, 'update ledger.accounts set companion_tables = false where id = 1');
    try {
      expect((await buildAlone(harness, checks)).snapshot).not.toHaveProperty('companions');
    } finally {
      await change(owner, 'update ledger.accounts set companion_tables = true where id = 1');
    }
  });

  it.each([
    [
      'a lost row',
      'api_observations',
      'from file where id <> (select min(id) from file)',
      '20-check-control',
    ],
    ['no row', 'api_metrics', 'from file where false', '20-check-control'],
    ['no row', 'api_decisions', 'from file where false', '21-check-agreement'],
    [
      'another cash value',
      'api_decisions',
      'select * replace (cash_value_cents + 1 as cash_value_cents) from file',
      '20-check-control',
    ],
    [
      'another time of change',
      'api_metrics',
      "select * replace (updated_at + interval '1 microsecond' as updated_at) from file",
      '20-check-control',
    ],
    [
      'no spend of an initiative',
      'api_budget_spend',
      'from file where initiative_id <> (select min(initiative_id) from file)',
      '22-check-spend',
    ],
    [
      'a later snapshot',
      'api_metrics',
      "select * replace ('20990101T000000Z' as snapshot_id) from file",
      '23-check-snapshot-ids',
    ],
    [
      'another amount',
      'api_cost_entries',
      'select * replace (amount_cents + 1 as amount_cents) from file',
      '20-check-control',
    ],
    [
      'another type',
      'api_cost_entries',
      "select * replace ('gifts' as cost_type) from file",
      '21-check-agreement',
    ],
    [
      'another basis',
      'api_value_entries',
      "select * replace ('none' as basis) from file",
      '21-check-agreement',
    ],
    [
      'another stage',
      'api_initiatives',
      "select * replace ('paused' as stage) from file",
      '21-check-agreement',
    ],
    [
      'another note',
      'api_value_entries',
      "select * replace (coalesce(notes, '') || '.' as notes) from file",
      '21-check-agreement',
    ],
    [
      'a later moment of decisions',
      'api_decisions',
      "select * replace (decided_at + interval '1 microsecond' as decided_at) from file",
      '21-check-agreement',
    ],
    [
      'another outcome',
      'api_decisions',
      "select * replace ('fix' as outcome) from file",
      '21-check-agreement',
    ],
    [
      'another spend',
      'api_budget_spend',
      'select * replace (opex_cents + 1 as opex_cents) from file',
      '22-check-spend',
    ],
    [
      'another quantity in a sum',
      'api_usage_sums',
      "select * replace (quantity || '.000000000000000000000000000001' as quantity) from file",
      '24-check-usage-sums',
    ],
    [
      'another exact cost in a sum',
      'api_usage_sums',
      "select * replace ('-' || billed_cost as billed_cost) from file",
      '24-check-usage-sums',
    ],
    [
      'another priced cost in a sum',
      'api_usage_sums',
      "select * replace ('9' || priced_cost as priced_cost) from file",
      '24-check-usage-sums',
    ],
    [
      'no quantity in a sum',
      'api_usage_sums',
      'select * replace (null::varchar as quantity) from file',
      '24-check-usage-sums',
    ],
    [
      'other cents in a sum',
      'api_usage_sums',
      'select * replace (cost_cents + 1 as cost_cents) from file',
      '24-check-usage-sums',
    ],
    [
      'a whole sum for a partial one',
      'api_usage_sums',
      'select * replace (not partial as partial) from file',
      '24-check-usage-sums',
    ],
    ['a lost sum', 'api_usage_sums', 'from file where unit is not null', '24-check-usage-sums'],
    [
      'another value in the currency of a plan',
      'api_plan_value',
      'select * replace (cash_cents + 1 as cash_cents) from file',
      '25-check-plan-value',
    ],
    [
      'value of a month without any entry',
      'api_plan_value',
      "from file union all select * replace (date '2031-01-01' as month) from (from file limit 1)",
      '25-check-plan-value',
    ],
    ['no value in the currency of a plan', 'api_plan_value', 'from file limit 0', '25-check-plan-value'],
    [
      'no name of a vendor',
      'api_vendor_names',
      'from file where vendor_id not in (select max(vendor_id) from file)',
      '20-check-control',
    ],
    [
      'the name of another vendor',
      'api_vendor_names',
      "select * replace ('Nobody' as name) from file",
      '26-check-vendor-names',
    ],
    [
      'other ids of vendors',
      'api_vendor_names',
      'select * replace (vendor_id + 1000 as vendor_id) from file',
      '26-check-vendor-names',
    ],
    [
      'another snapshot',
      'api_metrics',
      "select * replace ('20200101T000000Z' as snapshot_id) from file",
      '23-check-snapshot-ids',
    ],
    ['another order', 'api_metrics', 'from file order by id desc', '12-check-keys'],
  ])('are refused by their audit with %s in %s', async (_, table, select, check) => {
    expect(await refusing(harness, COMPANION_SET, built, checks, { table, select })).toContain(check);
  });
});
