/** The sums by initiative and month in real builds: beside the tables, without changing one byte of these, and audited. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import { SUM_TABLES, SUMS_SET } from '../../../src/tables/sums.ts';
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
  [harness, checks] = await Promise.all([openBuildHarness(), readChecksBeside([SUMS_SET])]);
  const owner = await harness.database.client('cf_owner');
  // The snapshot is of 2026-07-15.
  await change(
    owner,
    `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, period_start, source_type)
      select 1, 101, 100, 'USD', day, 'manual' from unnest(array['2026-07-14', '2026-07-15', '2026-07-16']::date[]) day`,
  );
  built = await buildAlone(harness, checks);
});
afterAll(() => harness.close());

describe('the sums by initiative and month', () => {
  it('are named by the manifest, and change no byte beside them', async () => {
    expectBeside(SUMS_SET, built, await buildAlone(harness));
    const report = Buffer.from(await built.reader.readReport(1n, built.snapshot.snapshot_id, SUMS_SET));
    expect(report).toEqual(bytesOf(built, 'sums.json'));
  });

  it('are read by a scrub to their last byte', async () => {
    const files = ['month_sums.companion', 'month_sums_unsettled.companion', 'sums.json'];
    expect(await damageFound(built, [])).toEqual([]);
    expect(await damageFound(built, files)).toEqual(files);
  });

  it('note the latest day of entries after the day of the snapshot alone', async () => {
    const rows = await built.reader.openRows(1n, built.snapshot.snapshot_id, SUM_TABLES.month_sums);
    const july: (readonly unknown[])[] = [];
    for await (const { columns } of rows.read(['initiative_id', 'month', 'from_day', 'latest_day'])) {
      const [ids, months, from, latest] = columns;
      for (const [row, id] of ids.entries())
        if (months[row] === '2026-07-01' && (id === null || id === 101n))
          july.push([id, from[row], latest[row]]);
    }
    const segments = [
      ['2026-07-01', null],
      ['2026-07-16', '2026-07-16'],
    ];
    // The month is cut after the day of the snapshot. Of the portfolio, it also has one row of the whole month.
    expect(july.filter(([id]) => id === 101n)).toEqual(segments.map((own) => [101n, ...own]));
    expect(july.filter(([id]) => id === null)).toEqual(
      [segments[0], ['2026-07-01', '2026-07-16'], segments[1]].map((own) => [null, ...(own ?? [])]),
    );
  });

  const one = '(select min(initiative_id) from file)';
  it.each([
    ['an unchanged file', 'month_sums', 'from file', []],
    [
      'a lost month',
      'month_sums',
      `from file where initiative_id <> ${one} or initiative_id is null`,
      ['20', '21', '23'],
    ],
    [
      'another amount',
      'month_sums',
      `select * replace (if(initiative_id = ${one}, coalesce(opex_cents, 0) + 1, opex_cents) as opex_cents) from file`,
      ['20', '21', '23'],
    ],
    [
      'another latest day',
      'month_sums',
      `select * replace (if(initiative_id is null, date '2099-01-01', latest_day) as latest_day) from file`,
      ['21'],
    ],
    [
      'a later end',
      'month_sums',
      `select * replace (if(initiative_id = ${one}, through_day + 1, through_day) as through_day) from file`,
      ['20', '21'],
    ],
    [
      'a cent more for the portfolio',
      'month_sums',
      'select * replace (if(initiative_id is null, coalesce(capex_cents, 0) + 1, capex_cents) as capex_cents) from file',
      ['21'],
    ],
    [
      'another number of entries',
      'month_sums_unsettled',
      'select * replace (entries + 1 as entries) from file',
      ['22'],
    ],
    ['a lost portfolio', 'month_sums_unsettled', 'from file where initiative_id is not null', ['22']],
    [
      'another snapshot',
      'month_sums_unsettled',
      "select * replace ('20200101T000000Z' as snapshot_id) from file",
      ['24'],
    ],
    ['another order', 'month_sums', 'from file order by initiative_id desc', ['12']],
  ])('with %s are refused by the check for it', async (_, table, select, expected) => {
    const refused = await refusing(harness, SUMS_SET, built, checks, { table, select });
    expect(refused.map((name) => name.slice(0, 2))).toEqual(expected);
  });
});
