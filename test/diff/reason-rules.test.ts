/** Which reason a changed entry has, rule by rule: entries of no dollars, so that no total moves. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Company, row } from '../snapshot/audit/audited-company.ts';
import { at, cost, initiative, type MutableRow, value } from '../snapshot/audit/audited-rows.ts';
import { type EntryReasons, openEntryReasons, put } from './entry-reasons.ts';

let entries: EntryReasons;
beforeAll(async () => {
  entries = await openEntryReasons();
});
afterAll(() => entries[Symbol.asyncDispose]());

const reasons: EntryReasons['of'] = (begin, goOn) => entries.of(begin, goOn);
const nothing = (): void => undefined;

const BEFORE = at('2026-08-01');
const SINCE = at('2026-08-15', 8_000); // after 02:00

describe('an entry that is added', () => {
  it('has entered with its initiative if both stood before: from a sample to a real one, or a sample itself', async () => {
    const found = await reasons(nothing, (rows) => {
      put(rows, 'initiatives', initiative(4n, { created_at: BEFORE }));
      put(
        rows,
        'costs',
        cost(91n, 1n, null, { created_at: BEFORE }), // initiative 1 is in both snapshots
        cost(92n, 4n, null, { created_at: BEFORE }), // initiative 4 appeared
        cost(93n, 1n, null, { created_at: SINCE }),
        cost(94n, 4n, null, { created_at: SINCE }),
      );
      put(
        rows,
        'reported_value',
        value(95n, 1n, null, { created_at: BEFORE, approved_at: BEFORE }),
        value(96n, 4n, null, { created_at: BEFORE, approved_at: BEFORE }),
        value(97n, 1n, null, { created_at: BEFORE, approved_at: SINCE }),
        value(98n, 4n, null, { created_at: BEFORE, approved_at: SINCE }),
      );
    });
    expect(found).toEqual({
      91: 'initiative_entered',
      92: 'initiative_entered',
      93: 'entry_added',
      94: 'entry_added',
      95: 'initiative_entered',
      96: 'initiative_entered',
      97: 'approved',
      98: 'approved',
    });
  });

  it('of value without the day of its approval has entered only with an initiative that was in no row before', async () => {
    const undecided = { created_at: BEFORE, approved_at: null, approved_by_id: null, approved_by_name: null };
    const found = await reasons(nothing, (rows) => {
      put(rows, 'initiatives', initiative(4n, { created_at: BEFORE }));
      put(rows, 'reported_value', value(95n, 1n, null, undecided), value(96n, 4n, null, undecided));
    });
    expect(found).toEqual({ 95: 'approved', 96: 'initiative_entered' });
  });

  it('has not entered with an initiative made since, however old its own dates are', async () => {
    const found = await reasons(nothing, (rows) => {
      put(rows, 'initiatives', initiative(4n, { created_at: SINCE }));
      put(rows, 'costs', cost(91n, 4n, null, { created_at: BEFORE }));
      put(rows, 'reported_value', value(95n, 4n, null, { created_at: BEFORE, approved_at: BEFORE }));
    });
    expect(found).toEqual({ 91: 'entry_added', 95: 'approved' });
  });

  it('at the very microsecond of the earlier snapshot stood before', async () => {
    const found = await reasons(
      (rows) => Object.assign(rows['snapshot']?.[0] ?? {}, { generated_at: BEFORE }),
      (rows) => {
        Object.assign(rows['snapshot']?.[0] ?? {}, { generated_at: SINCE });
        put(rows, 'initiatives', initiative(4n, { created_at: BEFORE }));
        put(
          rows,
          'costs',
          cost(91n, 4n, null, { created_at: BEFORE }),
          cost(92n, 4n, null, { created_at: BEFORE + 1n }),
        );
      },
    );
    expect(found).toEqual({ 91: 'initiative_entered', 92: 'entry_added' });
  });
});

const euro = (usd_rate: number, through: string, given: MutableRow = {}): MutableRow => ({
  amount_cents: 1n, // 1 × 1.10 and 1 × 1.12 are 1 dollar cent each
  currency: 'EUR',
  usd_amount_cents: 1n,
  usd_rate,
  usd_rate_from: '2026-08-01',
  usd_rate_through: through,
  usd_rate_provisional: false,
  created_at: BEFORE,
  ...given,
});

const spent = (id: bigint, given: MutableRow): MutableRow => cost(id, 3n, null, given);

describe('an entry that another rate converts', () => {
  it('says so where the dollars stay to the cent: another rate, or another day of the same rate', async () => {
    const found = await reasons(
      (rows) => {
        put(rows, 'costs', spent(91n, euro(1.1, '2026-08-10')), spent(92n, euro(1.1, '2026-08-10')));
        put(rows, 'costs', spent(93n, euro(1.1, '2026-08-10')), spent(94n, euro(1.1, '2026-08-10')));
        put(rows, 'costs', spent(95n, euro(1.1, '2026-08-10', { usd_rate_provisional: true })));
        put(rows, 'costs', spent(96n, euro(1.1, '2026-08-10', { usd_rate_provisional: true })));
        put(
          rows,
          'costs',
          spent(97n, { currency: 'EUR', usd_amount_cents: null, usd_rate_provisional: false }),
        );
      },
      (rows) => {
        Object.assign(row(rows, 'costs', 91n), { usd_rate: 1.12 });
        Object.assign(row(rows, 'costs', 92n), { usd_rate_through: '2026-08-11' });
        Object.assign(row(rows, 'costs', 93n), { usd_rate_from: '2026-08-02', notes: 'Checked' });
        Object.assign(row(rows, 'costs', 94n), { usd_rate: 1.12, period_end: at('2026-08-31') });
        Object.assign(row(rows, 'costs', 95n), { usd_rate: 1.12, usd_rate_provisional: false });
        Object.assign(row(rows, 'costs', 96n), { usd_rate: 1.12 });
        Object.assign(row(rows, 'costs', 97n), { recorded_by_name: 'Ada L.' });
      },
    );
    expect(found).toEqual({
      91: 'rate_changed',
      92: 'rate_changed',
      93: 'rate_changed', // the rate comes first, words of a person beside it do not
      94: 'entry_edited', // its period was rewritten as well
      95: 'rate_became_average',
      96: 'rate_changed', // it is provisional still
      97: 'described_anew', // it waits for a rate still
    });
  });
});

/** The month of May 2025, in which the cost of entry 91 falls, locked in both snapshots. */
const locked = { locked: true, status: 'locked', locked_at: at('2025-06-09'), reopened_at: null };
const may = (rows: Company): MutableRow => row(rows, 'accounting_periods', '2025-05-01');
const begin = (rows: Company): void => {
  Object.assign(may(rows), locked);
  put(rows, 'costs', cost(91n, 3n, '2025-05-03', { locked: true }));
};
const edit = (rows: Company): void => void Object.assign(row(rows, 'costs', 91n), { notes: 'Checked' });

describe('an entry of a month that was locked', () => {
  it.each([
    ['is open', { locked: false, status: 'reopened', reopened_at: at('2026-08-15', 9_000) }],
    [
      'was reopened and locked again',
      { reopened_at: at('2026-08-15', 9_000), locked_at: at('2026-08-15', 9_001) },
    ],
    ['was reopened and locked again by a file without reopened_at', { locked_at: at('2026-08-15', 9_001) }],
    [
      'was reopened and locked again by a file with the earlier locked_at',
      { reopened_at: at('2026-08-15', 9_000) },
    ],
  ])('and %s has the reason month_reopened', async (_, month) => {
    const found = await reasons(begin, (rows) => {
      Object.assign(may(rows), month);
      edit(rows);
    });
    expect(found).toEqual({ 91: 'month_reopened' });
  });

  it('that stayed locked has no reason month_reopened', async () => {
    expect(await reasons(begin, edit)).toEqual({ 91: 'entry_edited' });
  });

  it('and is gone from the months has the reason month_reopened', async () => {
    const found = await reasons(begin, (rows) => {
      rows['accounting_periods'] = rows['accounting_periods']?.filter((each) => each !== may(rows)) ?? [];
      edit(rows);
    });
    expect(found).toEqual({ 91: 'month_reopened' });
  });

  it.each([
    ['left', '2025-05-03', '2026-08-03'],
    ['came to', '2026-08-03', '2025-05-03'],
  ])('which it %s, reopened since, has the reason month_reopened', async (_, from, to) => {
    const found = await reasons(
      (rows) => {
        Object.assign(may(rows), locked);
        put(rows, 'costs', cost(91n, 3n, from, {}));
      },
      (rows) => {
        Object.assign(may(rows), { locked: false, status: 'reopened', reopened_at: at('2026-08-15', 9_000) });
        Object.assign(row(rows, 'costs', 91n), {
          period_start: at(to),
          period_month: `${to.slice(0, 7)}-01`,
        });
      },
    );
    expect(found).toEqual({ 91: 'month_reopened' });
  });

  it.each([
    ['left', '2025-05-03', '2026-08-03'],
    ['came to', '2026-08-03', '2025-05-03'],
  ])('and, being value, %s it, has the reason month_reopened', async (_, from, to) => {
    const found = await reasons(
      (rows) => {
        Object.assign(may(rows), locked);
        put(rows, 'reported_value', value(91n, 3n, from, {}));
      },
      (rows) => {
        Object.assign(may(rows), { locked: false, status: 'reopened', reopened_at: at('2026-08-15', 9_000) });
        Object.assign(row(rows, 'reported_value', 91n), {
          period_start: at(to),
          period_month: `${to.slice(0, 7)}-01`,
        });
      },
    );
    expect(found).toEqual({ 91: 'month_reopened' });
  });

  const reopen = { locked: false, status: 'reopened', reopened_at: at('2026-08-15', 9_000) };
  const relock = { reopened_at: at('2026-08-15', 9_000), locked_at: at('2026-08-15', 9_001) };
  it.each([
    ['is open', reopen, false],
    ['was locked again', relock, true],
  ])('tells added, changed, deleted and untouched entries apart when it %s', async (_, month, isLocked) => {
    const found = await reasons(
      (rows) => {
        Object.assign(may(rows), locked);
        const ids = [91n, 92n, 93n];
        put(rows, 'costs', ...ids.map((id) => cost(id, 3n, '2025-05-03', { locked: true })));
        put(rows, 'reported_value', value(94n, 3n, '2025-05-03', {}), value(95n, 3n, '2025-05-03', {}));
      },
      (rows) => {
        Object.assign(may(rows), month);
        rows['costs']?.pop(); // 93
        rows['reported_value']?.pop(); // 95, without a decision
        Object.assign(row(rows, 'costs', 91n), { notes: 'Checked', locked: isLocked });
        Object.assign(row(rows, 'costs', 92n), { locked: isLocked, updated_at: at('2026-08-15', 9_000) });
        Object.assign(row(rows, 'reported_value', 94n), { updated_at: at('2026-08-15', 9_000) });
        put(rows, 'costs', cost(96n, 3n, '2025-05-04', { created_at: SINCE, locked: isLocked }));
        put(rows, 'costs', cost(97n, 3n, '2026-07-04', { created_at: SINCE })); // July was never locked
      },
    );
    expect(found).toEqual({
      91: 'month_reopened',
      92: 'month_unlocked',
      93: 'deleted_in_reopened_month',
      94: 'month_unlocked',
      95: 'deleted_in_reopened_month',
      96: 'added_in_reopened_month',
      97: 'entry_added',
    });
  });

  it('by its booking, with a period elsewhere now, has month_reopened; a deleted entry says so itself', async () => {
    const found = await reasons(
      (rows) => {
        Object.assign(may(rows), locked);
        const booked = { created_at: at('2025-05-03'), locked: true };
        put(rows, 'costs', cost(91n, 3n, null, booked), cost(92n, 3n, '2025-05-03', { locked: true }));
      },
      (rows) => {
        Object.assign(may(rows), { locked: false, status: 'reopened', reopened_at: at('2026-08-15', 9_000) });
        rows['costs']?.pop();
        Object.assign(row(rows, 'costs', 91n), {
          period_start: at('2026-08-03'),
          period_month: '2026-08-01',
        });
      },
    );
    expect(found).toEqual({ 91: 'month_reopened', 92: 'deleted_in_reopened_month' });
  });
});
