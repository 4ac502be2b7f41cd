/** Which of several reasons of an entry comes first, and what each of them asks beside. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Company, row } from '../snapshot/audit/audited-company.ts';
import { at, cost, type MutableRow, value } from '../snapshot/audit/audited-rows.ts';
import { type EntryReasons, openEntryReasons, put } from './entry-reasons.ts';

let reasons: EntryReasons;
beforeAll(async () => {
  reasons = await openEntryReasons();
});
afterAll(() => reasons[Symbol.asyncDispose]());

const EURO = {
  amount_cents: 1n,
  currency: 'EUR',
  usd_amount_cents: 1n,
  usd_rate: 1.1,
  usd_rate_from: '2026-08-01',
  usd_rate_through: '2026-08-10',
};
/** No rate, and an amount that is 0 dollars at any: it moves no total. */
const WAITING = {
  amount_cents: 0n,
  currency: 'EUR',
  usd_amount_cents: null,
  usd_rate: null,
  usd_rate_from: null,
  usd_rate_through: null,
};
const ARRIVED = { ...EURO, amount_cents: 0n, usd_amount_cents: 0n };

function change(table: string, changes: Readonly<Record<string, MutableRow>>) {
  return (rows: Company): void => {
    for (const [id, given] of Object.entries(changes)) Object.assign(row(rows, table, BigInt(id)), given);
  };
}

describe('a rate is the reason', () => {
  it('only of an entry that was not recounted: amount, currency, category, period and initiative stayed', async () => {
    const provisional = { ...EURO, usd_rate_provisional: true };
    const average = { usd_rate: 1.12, usd_rate_provisional: false };
    const waiting = { ...WAITING, usd_rate_provisional: false };
    const later = { period_start: at('2026-08-02'), period_month: '2026-08-01' };
    const found = await reasons.of(
      (rows) => {
        put(rows, 'costs', cost(91n, 3n, null, provisional), cost(92n, 3n, null, provisional));
        put(rows, 'costs', cost(93n, 3n, null, waiting), cost(94n, 3n, null, waiting));
      },
      change('costs', {
        91: average,
        92: { ...average, period_end: at('2026-08-31') },
        93: ARRIVED,
        94: { ...ARRIVED, ...later },
      }),
    );
    expect(found).toEqual({
      91: 'rate_became_average',
      92: 'entry_edited',
      93: 'rate_arrived',
      94: 'entry_edited',
    });
  });

  it('of value that waited for one', async () => {
    const found = await reasons.of(
      (rows) => put(rows, 'reported_value', value(91n, 3n, null, WAITING)),
      change('reported_value', { 91: ARRIVED }),
    );
    expect(found).toEqual({ 91: 'rate_arrived' });
  });

  it('before the lock of its month', async () => {
    const found = await reasons.of(
      (rows) => put(rows, 'costs', cost(91n, 3n, '2026-07-02', { ...EURO, usd_rate_provisional: true })),
      (rows) => {
        Object.assign(row(rows, 'accounting_periods', '2026-07-01'), LOCKED);
        Object.assign(row(rows, 'costs', 91n), { usd_rate: 1.12, usd_rate_provisional: false, locked: true });
      },
    );
    expect(found).toEqual({ 91: 'rate_became_average' });
  });
});

const LOCKED = { locked: true, status: 'locked', locked_at: at('2026-08-15', 9_000) };

describe('the lock of its month is the reason', () => {
  it('only of an unchanged entry in a month that was not locked before', async () => {
    const found = await reasons.of(
      (rows) => {
        put(rows, 'costs', cost(91n, 3n, '2026-07-02', {}), cost(92n, 3n, '2026-07-02', {}));
        // May 2025 is locked in both: what is new there is a name beside the entry.
        put(rows, 'costs', cost(93n, 3n, '2025-05-02', { locked: true }));
      },
      (rows) => {
        Object.assign(row(rows, 'accounting_periods', '2026-07-01'), LOCKED);
        change('costs', {
          91: { locked: true },
          92: { locked: true, notes: 'Checked' },
          93: { recorded_by_name: 'Ada L.' },
        })(rows);
      },
    );
    expect(found).toEqual({ 91: 'month_locked', 92: 'entry_edited', 93: 'described_anew' });
  });

  it('of a cost without a period by the month of its booking, of undated value never', async () => {
    const booked = { created_at: at('2026-07-03'), locked: false };
    const found = await reasons.of(
      (rows) => {
        put(rows, 'costs', cost(91n, 3n, null, booked));
        put(rows, 'reported_value', value(92n, 3n, null, { created_at: at('2026-07-03') }));
      },
      (rows) => {
        Object.assign(row(rows, 'accounting_periods', '2026-07-01'), LOCKED);
        change('costs', { 91: { locked: true } })(rows);
        change('reported_value', { 92: { updated_at: at('2026-08-15', 9_000) } })(rows);
      },
    );
    expect(found).toEqual({ 91: 'month_locked', 92: 'described_anew' });
  });
});

describe('value that was approved anew', () => {
  it('is approved, unless it was rewritten as well', async () => {
    const approved_at = at('2026-08-15', 9_000);
    const found = await reasons.of(
      (rows) => put(rows, 'reported_value', value(91n, 3n, null, {}), value(92n, 3n, null, {})),
      change('reported_value', { 91: { approved_at }, 92: { approved_at, notes: 'Checked' } }),
    );
    expect(found).toEqual({ 91: 'approved', 92: 'entry_edited' });
  });
});

it('a merged vendor is the reason only if the entry itself was not changed', async () => {
  const found = await reasons.of(
    (rows) => {
      const named = { vendor_id: 7n, vendor_name: 'Acme' };
      put(rows, 'costs', cost(91n, 3n, null, named), cost(92n, 3n, null, named));
    },
    change('costs', { 91: { vendor_id: 8n }, 92: { vendor_id: 8n, vendor_name: 'Acme Ltd' } }),
  );
  expect(found).toEqual({ 91: 'vendor_merged', 92: 'entry_edited' });
});

it('a new split into the effect of prices and own changes is an edit', async () => {
  const split = { amount_cents: 0n, vendor_price_effect_cents: 0n, own_changes_effect_cents: 0n };
  const found = await reasons.of(
    (rows) => put(rows, 'reported_value', value(91n, 3n, null, {})),
    change('reported_value', { 91: split }),
  );
  expect(found).toEqual({ 91: 'entry_edited' });
});

it('an initiative that left is the reason before any decision; an initiative that stays is no reason', async () => {
  const found = await reasons.of(
    (rows) => {
      put(rows, 'costs', cost(91n, 3n, null, {}), cost(92n, 2n, null, {}));
      put(rows, 'reported_value', value(93n, 3n, null, {}), value(94n, 2n, null, {}));
    },
    (rows) => {
      rows['initiatives']?.pop(); // initiative 3
      rows['costs'] = rows['costs']?.slice(0, -2) ?? [];
      rows['reported_value'] = rows['reported_value']?.slice(0, -2) ?? [];
    },
  );
  expect(found).toEqual({
    91: 'initiative_left',
    92: 'entry_deleted',
    93: 'initiative_left',
    94: 'entry_deleted',
  });
});

it('an entry that moved away from an initiative that left was edited', async () => {
  const moved = { initiative_id: 2n };
  const found = await reasons.of(
    (rows) => {
      put(rows, 'costs', cost(91n, 3n, null, {}));
      put(rows, 'reported_value', value(92n, 3n, null, {}));
    },
    (rows) => {
      rows['initiatives']?.pop(); // initiative 3
      change('costs', { 91: moved })(rows);
      change('reported_value', { 92: moved })(rows);
    },
  );
  expect(found).toEqual({ 91: 'entry_edited', 92: 'entry_edited' });
});

it('the lock of a month that was in no row before is the reason as well', async () => {
  const found = await reasons.of(
    (rows) => put(rows, 'costs', cost(91n, 3n, '2026-08-02', {})),
    (rows) => {
      put(rows, 'accounting_periods', {
        ...row(rows, 'accounting_periods', '2025-05-01'),
        month: '2026-08-01',
      });
      change('costs', { 91: { locked: true } })(rows);
    },
  );
  expect(found).toEqual({ 91: 'month_locked' });
});

it('a month that is in no row any more is no locked one', async () => {
  const found = await reasons.of(
    (rows) => put(rows, 'costs', cost(91n, 3n, '2026-07-02', {})),
    (rows) => {
      rows['accounting_periods'] = rows['accounting_periods']?.slice(0, -1) ?? []; // July 2026, which was open
      change('costs', { 91: { recorded_by_name: 'Ada L.' } })(rows);
    },
  );
  expect(found).toEqual({ 91: 'described_anew' });
});
