/** Rules that two engines have: PostgreSQL writes a file, DuckDB holds it to the same rule. They agree on every row that is taken. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import {
  addCost,
  addValue,
  type Founded,
  foundAccount,
  inAccount,
  insert,
} from '../../support/ledger-rows.ts';
import { readChecks } from '../audit/audited-files.ts';
import { AT, type BuildHarness, openBuildHarness } from '../builder/real-build.ts';
import { BLANKS, DAYS } from './drawn-values.ts';

let harness: BuildHarness;
let owner: Client;
/** The account of the test that runs. */
let home: Founded;
beforeAll(async () => {
  harness = await openBuildHarness('template_ledger');
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());

const BASELINE = { source_type: 'baseline', baseline_method: 'history', label: 'Before', value: 5 };

/** The day of go-live: a baseline of that day or later is no measurement. */
const LIVE = '2026-03-01T12:00:00Z';

/** An end without a beginning is no period, whatever it says. */
async function addEnds(): Promise<void> {
  for (const period_end of ['1990-01-01', '2026-03-31', '2199-12-31'])
    await addCost(owner, home, { period_start: null, period_end });
}

async function addBlanks(): Promise<void> {
  // As an earlier version stored names of vendors; the ledger now takes a blank one for none.
  await owner.query('alter table ledger.cost_entries disable trigger resolve_vendor');
  for (const blank of [...BLANKS, ...BLANKS.map((each) => ` ${each} `)]) {
    await addCost(owner, home, { description: blank });
    await addCost(owner, home, { vendor_name: blank, notes: blank, source_ref: blank });
    if (blank.trim() !== '') await addCost(owner, home, { cost_type: blank, description: blank });
  }
  await owner.query('alter table ledger.cost_entries enable trigger resolve_vendor');
}

async function addDays(): Promise<void> {
  const { account } = home;
  await owner.query(`update ledger.initiatives set went_live_at = '${LIVE}' where account_id = ${account}`);
  const formula_id = await insert(owner, 'ledger.formulas', { account_id: account, formula_key: 'saved' });
  const version = { account_id: account, formula_id, version: 1, name: 'Saved', expression: 'before' };
  const formula_version_id = await insert(owner, 'ledger.formula_versions', version);
  for (const day of DAYS) {
    const input_snapshot = JSON.stringify({
      expression: 'before',
      inputs: { before: { ...BASELINE, observed_at: day } },
    });
    await addValue(owner, home, { source_type: 'calculated', formula_version_id, input_snapshot });
  }
}

it.each([
  ['undated costs that have an end', addEnds],
  ['texts of nothing but a blank, of every blank of Unicode', addBlanks],
  ['baselines of every form of a day', addDays],
])('a build publishes an account with %s', async (_, add) => {
  home = await foundAccount(owner, { reporting_enabled_at: '2026-01-01Z' });
  await inAccount(owner, home.account, add);
  const checks = { checks: await readChecks(), checksBeside: await readChecksBeside() };
  const built = await harness.build({ account_id: home.account, at: AT, ...checks });
  expect(built.outcome).toBe('published');
});

it.each([
  ['2026-03-01', true], // the day of go-live itself
  ['2026-02-28T23:30:00-01:00', true], // 00:30 on 1 March
  ['2026-03-01T00:10+05', false], // 19:10 on 28 February
  ['2026-02-28', false],
  ['2026-03-01T24:00:00Z', false], // no time of a day: no day is known
])('a baseline of %s is no measurement: %s', async (observed_at, estimated) => {
  const { rows } = await owner.query<{ basis: string }>(
    `select basis from reporting.value_entries where account_id = $1 and input_snapshot like $2`,
    [home.account, `%"observed_at":"${observed_at}"%`],
  );
  expect(rows).toEqual([{ basis: estimated ? 'estimated' : 'measured' }]);
});

it.each([
  [
    'an approved figure of a formula without its inputs',
    'value_formula_has_inputs',
    async () => {
      const { rows } = await owner.query<{ id: bigint }>(
        `select id from ledger.formula_versions where account_id = ${home.account}`,
      );
      await addValue(owner, home, { source_type: 'calculated', formula_version_id: rows[0]?.id });
    },
  ],
  [
    'a rate of a day that has not come',
    'no rate is of a future day',
    async () => {
      const rate = {
        currency: 'EUR',
        usd_rate: 1.1,
        usd_rate_from: '2026-03-01',
        usd_rate_through: '2199-12-31',
      };
      await addCost(owner, home, rate);
    },
  ],
] as const)('the ledger refuses %s, which the audit would refuse every night', async (_, words, add) => {
  await expect(inAccount(owner, home.account, add)).rejects.toThrow(words);
});
