/** The FOCUS file in real builds: beside the tables, equal to `costs`, audited, served as Parquet and CSV. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANDATORY_COLUMNS } from '../../../src/focus/columns.ts';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import { servedManifest } from '../../../src/snapshot/format/served-manifest.ts';
import { FOCUS_SET } from '../../../src/tables/focus.ts';
import { company, loadFiles } from '../../ledger/load/folder.ts';
import { withFolder } from '../../parquet/temporary-folder.ts';
import { type BuildHarness, change, openBuildHarness } from '../builder/real-build.ts';
import {
  buildAlone,
  damageFound,
  expectBeside,
  type PublishedBuild,
  query,
  refusing,
  writeFiles,
} from './built-set.ts';

let harness: BuildHarness;
let checks: SetChecks;
let built: PublishedBuild;
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readChecksBeside([FOCUS_SET])]);
  const owner = await harness.database.client('cf_owner');
  // A credit in yen, an undated cost without vendor and words, and a period of two months. A charge of nothing, and two
  // charges of one month of which each is 1.5 cents in dollars. A vendor and a description of a no-break space.
  await change(
    owner,
    `insert into ledger.cost_entries (account_id, id, initiative_id, amount_cents, currency, cost_type, cost_category,
      period_start, period_end, vendor_name, description, source_type, created_at, usd_rate, usd_rate_from, usd_rate_through)
    values
      (1, 9001, 101, -1234567890123, 'JPY', 'tokens', 'opex', '2026-06-03', null, 'Büro, "Süd"', null, 'manual', '2026-07-01 10:00:00Z', null, null, null),
      (1, 9002, 101, 7, 'USD', null, 'opex', null, null, null, ' ', 'manual', '2026-07-02 23:59:59Z', null, null, null),
      (1, 9003, 101, 100000, 'EUR', 'software', 'opex', '2026-05-31', '2026-06-30', null, 'Seats', 'manual', '2026-07-01 10:00:00Z', 1.0835, '2026-05-29', '2026-05-29'),
      (1, 9004, 101, -5, 'USD', null, 'opex', null, '2026-05-31', null, ' ', 'manual', '2026-07-02 23:59:59Z', null, null, null),
      (1, 9005, 101, 0, 'USD', 'tokens', 'opex', '2026-06-10', null, null, 'Free', 'manual', '2026-07-01 10:00:00Z', null, null, null),
      (1, 9007, 101, 1, 'EUR', 'tokens', 'opex', '2026-05-31', null, null, 'A', 'manual', '2026-07-01 10:00:00Z', 1.5, '2026-05-29', '2026-05-29'),
      (1, 9008, 101, 1, 'EUR', 'tokens', 'opex', '2026-05-31', null, null, 'B', 'manual', '2026-07-01 10:00:00Z', 1.5, '2026-05-29', '2026-05-29'),
      (1, 9009, 101, 3, 'USD', 'tokens', 'opex', '2026-06-10', null, '\u00a0', '\u00a0', 'manual', '2026-07-01 10:00:00Z', null, null, null)`,
  );
  built = await buildAlone(harness, checks);
});
afterAll(() => harness.close());

async function csvLines(): Promise<readonly string[]> {
  const { reader, snapshot } = built;
  const csv = await reader.openCsv(1n, snapshot.snapshot_id, 'focus', { forSpreadsheets: false });
  return (await new Response(csv).text()).trimEnd().split('\r\n');
}

describe('the FOCUS file', () => {
  it('stands in the manifest beside the tables, and changes no byte of these', async () => {
    const { snapshot } = built;
    const without = await buildAlone(harness);
    expectBeside(FOCUS_SET, built, without);
    const costs = snapshot.tables.find(({ name }) => name === 'costs');
    expect(snapshot.focus).toMatchObject({ version: '1.2', row_count: costs?.row_count });
    expect(servedManifest(snapshot, 'https://x/v1').focus?.url).toBe(
      `https://x/v1/reporting/snapshots/${snapshot.snapshot_id}/focus.parquet`,
    );
    expect(servedManifest(without.snapshot, 'https://x/v1')).not.toHaveProperty('focus');
  });

  it('has every mandatory column of FOCUS 1.2, and as CSV exact decimals and whole seconds', async () => {
    const lines = await csvLines();
    const names = lines[0]?.split(',') ?? [];
    expect(MANDATORY_COLUMNS).toHaveLength(21);
    expect(MANDATORY_COLUMNS.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => name.startsWith('x_'))).toEqual([
      'x_CostEntryId',
      'x_InitiativeId',
      'x_Locked',
      'x_SnapshotId',
      'x_Undated',
      'x_UsdRate',
    ]);
    const { snapshot_id } = built.snapshot;
    const lineOf = (id: number): string => lines.find((line) => line.includes(`,${id},101,`)) ?? '';
    expect(lineOf(9001)).toMatch(
      new RegExp(
        '^-12345678901\\.23,crossfoot-account-1,[^,]*,JPY,2026-07-01T00:00:00Z,2026-06-01T00:00:00Z,Credit,,tokens,One-Time,' +
          '2026-06-04T00:00:00Z,2026-06-03T00:00:00Z,-12345678901\\.23,-12345678901\\.23,,"Büro, ""Süd""",-12345678901\\.23,' +
          '1\\.00,Units,"Büro, ""Süd""","Büro, ""Süd""",AI and Machine Learning,tokens,Other \\(AI and Machine Learning\\),' +
          `9001,101,false,${snapshot_id},false,$`,
      ),
    );
    expect(lineOf(9002)).toMatch(
      new RegExp(
        '^0\\.07,crossfoot-account-1,[^,]*,USD,2026-08-01T00:00:00Z,2026-07-01T00:00:00Z,Usage,,other,One-Time,' +
          '2026-07-03T00:00:00Z,2026-07-02T00:00:00Z,0\\.07,0\\.07,,Not recorded,0\\.07,1\\.00,Units,Not recorded,Not recorded,' +
          `Other,other,Other \\(Other\\),9002,101,false,${snapshot_id},true,1$`,
      ),
    );
    // Without a first day, a last day is no period; a credit below one dollar keeps its sign.
    expect(lineOf(9004)).toMatch(
      /^-0\.05,.*,2026-08-01T00:00:00Z,2026-07-01T00:00:00Z,Credit,.*,2026-07-03T00:00:00Z,2026-07-02T00:00:00Z,/,
    );
    expect(lineOf(9003)).toContain(
      'EUR,2026-06-01T00:00:00Z,2026-05-01T00:00:00Z,Usage,,Seats,One-Time,2026-07-01T00:00:00Z,2026-05-31T00:00:00Z,',
    );
    expect(lineOf(9003)).toMatch(/,false,1\.0835$/);
    // A no-break space names no vendor. As a description it stays: PostgreSQL and DuckDB must agree on what is blank.
    expect(lineOf(9009)).toMatch(
      /^0\.03,.*,Usage,,\u00a0,One-Time,.*,1\.00,Units,Not recorded,Not recorded,/,
    );
    // A charge of nothing is no credit.
    expect(lineOf(9005)).toMatch(/^0\.00,.*,Usage,,Free,/);
  });

  it('refuses the build if it differs from costs', async () => {
    const wrong = checks
      .get(FOCUS_SET)
      ?.map((script) =>
        script.name === '22-check-sums'
          ? { ...script, sql: script.sql.replace('sum(amount_cents)', 'sum(amount_cents) + 1') }
          : script,
      );
    await expect(buildAlone(harness, new Map([[FOCUS_SET, wrong ?? []]]))).rejects.toMatchObject({
      code: 'audit_refused',
    });
  });

  it('adds up to costs in DuckDB, by currency and month', async () => {
    await withFolder(async (directory) => {
      await writeFiles(directory, FOCUS_SET, built);
      const rows = await query(
        `select sum(x.BilledCost)::varchar as billed, (select sum(amount_cents)::decimal(18, 2) / 100
            from read_parquet('${directory}/costs.parquet') where currency = 'EUR')::decimal(18, 2)::varchar as recorded,
          typeof(any_value(x.BilledCost)) as type
        from read_parquet('${directory}/focus/focus.parquet') x where x.BillingCurrency = 'EUR'`,
      );
      expect(rows[0]?.['type']).toBe('DECIMAL(18,2)');
      expect(rows[0]?.['billed']).toBe(rows[0]?.['recorded']);
    });
  });

  it('gives the same totals to an empty account that loads it, as Parquet and as CSV', async () => {
    const csvText = (await csvLines()).join('\r\n');
    await withFolder(async (directory) => {
      await writeFiles(directory, FOCUS_SET, built);
      const of = "strftime(coalesce(period_start, created_at) at time zone 'UTC', '%Y-%m')";
      const recorded = await query(
        `set timezone = 'UTC'; select 'I' || initiative_id as title, ${of} as month, currency, sum(amount_cents)::varchar as cents
          from read_parquet('${directory}/costs.parquet') group by all having sum(amount_cents) <> 0 order by all`,
      );
      const titles = [...new Set(recorded.map(({ title }) => title as string))]; // the query's own text
      await writeFile(
        join(directory, 'mapping.yml'),
        `rules:\n${titles.map((title) => `  - { when: { x_InitiativeId: ${title.slice(1)} }, initiative: ${title} }\n`).join('')}`,
      );
      await writeFile(join(directory, 'costs.csv'), csvText);
      for (const [account, file] of [
        [71n, 'focus/focus.parquet'],
        [72n, 'costs.csv'],
      ] as const) {
        const url = harness.database.url('cf_owner');
        const initiatives = titles.map((title, index) => `${account},${index + 3},${title},live\n`);
        const files = company(Number(account));
        await loadFiles(url, {
          ...files,
          'initiatives.csv': `${String(files['initiatives.csv'])}${initiatives.join('')}`,
        });
        const paths = [join(directory, file)];
        await loadFocus({
          url,
          paths,
          account,
          map: join(directory, 'mapping.yml'),
          isOwnSnapshot: async () => await Promise.resolve(true), // the snapshot is of another account
        });
        const owner = await harness.database.client('cf_owner');
        const { rows } = await owner.query(
          `select i.title, to_char(c.booked_month, 'YYYY-MM') as month, c.currency, sum(c.amount_cents)::text as cents
            from ledger.cost_entries c join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id
            where c.account_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
          [account],
        );
        expect(rows).toEqual(recorded);
      }
    });
  });

  it('is read by a scrub to its last byte, and so is its report', async () => {
    const { reader, snapshot } = built;
    expect(await damageFound(built, [])).toEqual([]);
    const files = ['focus.companion', 'focus.json'];
    expect(await damageFound(built, files)).toEqual(files);
    const report = Buffer.from(await reader.readFile(1n, snapshot.snapshot_id, 'focus.json')).toString();
    expect(JSON.parse(report)).toMatchObject({ focus_version: '1.2', snapshot_id: snapshot.snapshot_id });
  });

  it.each([
    ['another type', 'select * replace (BilledCost::double as BilledCost) from file', '20-check-types'],
    ['a column more', 'select *, 1 as x_More from file', '20-check-types'],
    ['a lost row', 'from file where x_CostEntryId <> 9002', '21-check-rows'],
    ['no row', 'from file where false', '21-check-rows'],
    ['a lost charge of nothing', 'from file where x_CostEntryId <> 9005', '22-check-sums'],
    [
      'a charge in a month without costs',
      `from file union all select * replace (BillingPeriodStart + interval '20 years' as BillingPeriodStart)
       from file where x_CostEntryId = 9005`,
      '22-check-sums',
    ],
    ['another cent', 'select * replace (BilledCost + 0.01 as BilledCost) from file', '22-check-sums'],
    [
      'another month',
      "select * replace (BillingPeriodStart - interval '1 month' as BillingPeriodStart) from file",
      '22-check-sums',
    ],
    ['a credit as a use', "select * replace ('Usage' as ChargeCategory) from file", '21-check-rows'],
    ['another vendor', "select * replace ('Somebody' as ProviderName) from file", '21-check-rows'],
    ['another rate', 'select * replace (x_UsdRate * 1.01 as x_UsdRate) from file', '23-check-dollars'],
    [
      'a lower rate of one charge',
      'select * replace (if(x_CostEntryId = 9003, 1.07, x_UsdRate) as x_UsdRate) from file',
      '23-check-dollars',
    ],
    [
      'another account',
      "select * replace ('crossfoot-account-2' as BillingAccountId) from file",
      '24-check-snapshot',
    ],
    [
      'the name of another account',
      "select * replace ('Another company' as BillingAccountName) from file",
      '24-check-snapshot',
    ],
    [
      'a dated cost as undated',
      'select * replace (x_CostEntryId <> 9003 as x_Undated) from file',
      '23-check-dollars',
    ],
    [
      'another snapshot',
      "select * replace ('20200101T000000Z' as x_SnapshotId) from file",
      '24-check-snapshot',
    ],
    ['another order', 'from file order by x_CostEntryId desc', '12-check-keys'],
  ])('is refused by its audit with %s', async (_, select, check) => {
    expect(await refusing(harness, FOCUS_SET, built, checks, { table: 'focus', select })).toContain(check);
  });
});
