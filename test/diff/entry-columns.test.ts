/** Which columns of an entry a person writes, and which decide how much it adds: one entry for each column. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableNamed } from '../../src/tables/all.ts';
import { type Company, row } from '../snapshot/audit/audited-company.ts';
import { at, cost, type MutableRow, value } from '../snapshot/audit/audited-rows.ts';
import { type EntryReasons, openEntryReasons, put } from './entry-reasons.ts';

let reasons: EntryReasons;
beforeAll(async () => {
  reasons = await openEntryReasons();
});
afterAll(() => reasons[Symbol.asyncDispose]());

const ENTRIES = {
  costs: (id: bigint, given: MutableRow) => cost(id, 3n, null, given),
  reported_value: (id: bigint, given: MutableRow) => value(id, 3n, null, given),
} as const;

/** By the reason of an entry of no dollars in which that column alone changed: the columns, and what they become. */
const ALONE: Readonly<Record<keyof typeof ENTRIES, Readonly<Record<string, MutableRow>>>> = {
  costs: {
    entry_edited: {
      initiative_id: 2n,
      amount_cents: 5n, // its dollars stay
      currency: 'EUR',
      cost_category: 'capex',
      cost_type: 'labor',
      period_start: at('2026-08-03'),
      period_end: at('2026-08-31'),
      is_estimated: true,
      vendor_name: 'Acme',
      description: 'Seats',
      notes: 'Checked',
      source_type: 'csv',
      connection_id: 71n,
      source_ref: 'row 9',
      implementation_id: 91n,
      recurring_cost_id: 92n,
      allocation_line_id: 93n,
      recorded_by_id: 501n,
      created_at: at('2025-05-04'),
    },
    rate_changed: {
      usd_amount_cents: null,
      usd_rate: 1.5,
      usd_rate_from: '2026-08-01',
      usd_rate_through: '2026-08-02',
    },
    vendor_merged: { vendor_id: 81n },
    described_anew: {
      usd_rate_provisional: true,
      period_month: '2026-08-01',
      locked: true, // in May 2025, which is locked in both
      books_account_name: 'Software',
      platform: 'bridge',
      recorded_by_name: 'Ada',
      updated_at: at('2026-08-15'),
      app_url: 'https://app.example.com/costs/1',
    },
  },
  reported_value: {
    entry_edited: {
      initiative_id: 2n,
      amount_cents: 5n,
      currency: 'EUR',
      entry_type: 'revenue_gain',
      period_start: at('2026-08-03'),
      period_end: at('2026-08-31'),
      is_estimated: true,
      confidence_score: 50,
      source_type: 'csv',
      connection_id: 71n,
      source_ref: 'row 9',
      formula_id: 61n,
      formula_version: 2,
      formula_expression: 'a - b',
      input_snapshot: '{"a":1}',
      input_snapshot_sha256: 'another',
      vendor_price_effect_cents: 0n,
      own_changes_effect_cents: 0n,
      notes: 'Checked',
      recorded_by_id: 501n,
      created_at: at('2026-07-08'),
    },
    rate_changed: {
      usd_amount_cents: null,
      usd_rate: 1.5,
      usd_rate_from: '2026-08-01',
      usd_rate_through: '2026-08-02',
    },
    approved: { approved_at: at('2026-08-14') },
    described_anew: {
      period_month: '2026-08-01',
      provenance: 'Synced from Bridge',
      platform: 'bridge',
      formula_key: 'hours',
      formula_name: 'Hours',
      recorded_by_name: 'Ada',
      approved_by_id: 503n,
      approved_by_name: 'Cy',
      approval_source: 'auto',
      updated_at: at('2026-08-15'),
      app_url: 'https://app.example.com/value/1',
      basis: 'measured',
    },
  },
};

/** The reason of each entry by its name: entries are as given at first, and have one more thing changed then. */
async function reasonsOf(
  table: keyof typeof ENTRIES,
  begin: MutableRow,
  changed: Readonly<Record<string, MutableRow>>,
): Promise<Record<string, unknown>> {
  const named = Object.entries(changed).map(
    ([name, given], index) => [BigInt(1001 + index), name, given] as const,
  );
  const found = await reasons.of(
    (rows: Company) => put(rows, table, ...named.map(([id]) => ENTRIES[table](id, begin))),
    (rows) => {
      for (const [id, , given] of named) Object.assign(row(rows, table, id), given);
    },
  );
  return Object.fromEntries(named.map(([id, name]) => [name, found[String(id)]]));
}

describe.each(['costs', 'reported_value'] as const)('of %s', (table) => {
  it('each column that changes alone is an edit, a rate or beside the entry', async () => {
    const expected = Object.entries(ALONE[table]).flatMap(([reason, columns]) =>
      Object.keys(columns).map((name) => [name, reason] as const),
    );
    const changed = Object.values(ALONE[table]).flatMap((columns) =>
      Object.entries(columns).map(([name, becomes]) => [name, { [name]: becomes }] as const),
    );
    expect(await reasonsOf(table, {}, Object.fromEntries(changed))).toEqual(Object.fromEntries(expected));
  });

  it('every column but the key is in that list', () => {
    const { columns, key } = tableNamed(table);
    const named = columns
      .map(({ name }) => name)
      .filter((name) => name !== 'snapshot_id' && !key.includes(name));
    const listed = Object.values(ALONE[table]).flatMap((given) => Object.keys(given));
    expect(listed.toSorted()).toEqual(named.toSorted());
  });
});

const EURO = {
  currency: 'EUR',
  usd_amount_cents: 0n,
  usd_rate: 0.4,
  usd_rate_from: '2026-08-01',
  usd_rate_through: '2026-08-10',
};
const BOTH = {
  initiative_id: 2n,
  amount_cents: 1n, // 0.41 of a cent is none
  currency: 'CHF',
  period_start: at('2026-08-03'),
  period_end: at('2026-08-31'),
};

describe('another rate is no reason of an entry', () => {
  it.each([
    ['costs', { ...BOTH, cost_category: 'capex' }],
    ['reported_value', { ...BOTH, entry_type: 'revenue_gain', vendor_price_effect_cents: 0n }],
  ] as const)('of %s in which a person changed what decides how much it adds', async (table, columns) => {
    const changed = Object.entries(columns).map(([name, becomes]) => [
      name,
      { usd_rate: 0.41, [name]: becomes },
    ]);
    expect(await reasonsOf(table, EURO, Object.fromEntries(changed))).toEqual(
      Object.fromEntries(Object.keys(columns).map((name) => [name, 'entry_edited'])),
    );
  });
});
