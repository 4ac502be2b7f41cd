import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Row, addInitiative, addValue, insert, lockMonth, reopenMonth } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';

let ledger: ViewLedger;
let formula_version_id: bigint;
beforeAll(async () => {
  ledger = await openLedger();
  const formula_id = await ledger.add('ledger.formulas', { formula_key: 'time_saved' });
  formula_version_id = await ledger.add('ledger.formula_versions', {
    formula_id,
    version: 3,
    name: 'Time saved',
    expression: 'a',
  });
});
afterAll(() => ledger.database.drop());

/** One entry as the view shows it. */
async function shown(row: Row, initiative: Row = {}): Promise<Record<string, unknown>> {
  const { owner, home, write, read } = ledger;
  const id = await write(async () => {
    const own = { ...home, initiative: await addInitiative(owner, home.account, initiative) };
    return addValue(owner, own, row);
  });
  const [entry] = await read('select * from reporting.value_entries where id = $1', [id]);
  return entry ?? {};
}

async function lockedNow(ids: readonly bigint[]): Promise<unknown[]> {
  const rows = await ledger.read(
    'select locked from reporting.value_entries where id = any ($1) order by id',
    [ids],
  );
  return rows.map((row) => row['locked']);
}

type Input = Readonly<Record<string, unknown>>;

function calculated(...inputs: readonly Input[]): Row {
  const named = Object.fromEntries(inputs.map((input, index) => [`v${index}`, input]));
  return {
    source_type: 'calculated',
    formula_version_id,
    input_snapshot: JSON.stringify({ expression: 'a', inputs: named }),
  };
}

const baseline = (method: string | null, more: Input = {}): Input => ({
  source_type: 'baseline',
  baseline_method: method,
  ...more,
});
const starting = (day: string): Input => ({ input_period_start: day });

describe('basis', () => {
  // The initiative goes live on 2 March 2026 in UTC, which is still 1 March in New York.
  const LIVE = { went_live_at: '2026-03-01T23:30:00-05:00' };
  const EVE = starting('2026-03-01');
  const DAY = starting('2026-03-02');

  it.each<[string, string, readonly Input[], Row]>([
    ['none', 'has no input', [], LIVE],
    ['none', 'has inputs and no baseline', [{ source_type: 'observation' }], LIVE],
    ['estimated', 'rests on a benchmark', [baseline('benchmark')], LIVE],
    ['estimated', 'rests on an estimate', [baseline('estimate')], LIVE],
    ['estimated', 'rests on a baseline that names no method', [baseline(null)], LIVE],
    ['reconstructed', 'rests on a sample without AI', [baseline('without_ai_sample', DAY)], LIVE],
    ['measured', 'rests on history from before go-live', [baseline('history', EVE)], LIVE],
    ['estimated', 'rests on history from the day of go-live', [baseline('history', DAY)], LIVE],
    ['measured', 'rests on a time study from before go-live', [baseline('time_study', EVE)], LIVE],
    [
      'estimated',
      'rests on a time study from after go-live',
      [baseline('time_study', starting('2026-04-01'))],
      LIVE,
    ],
    [
      'measured',
      'rests on a period before go-live that was read after it',
      [baseline('history', { ...EVE, observed_at: '2026-05-01T00:00:00Z' })],
      LIVE,
    ],
    [
      'estimated',
      'rests on a reading without a period, taken on the UTC day of go-live',
      [baseline('history', { observed_at: '2026-03-01T23:00:00-02:00' })],
      LIVE,
    ],
    ['measured', 'rests on history without a day', [baseline('history')], LIVE],
    ['measured', 'rests on history of what never went live', [baseline('history', DAY)], {}],
    [
      'reconstructed',
      'rests on history and a sample',
      [baseline('history', EVE), baseline('without_ai_sample')],
      LIVE,
    ],
    [
      'estimated',
      'rests on a sample and late history',
      [baseline('without_ai_sample'), baseline('history', DAY)],
      LIVE,
    ],
    [
      'estimated',
      'rests on early and late history',
      [baseline('history', EVE), baseline('history', DAY)],
      LIVE,
    ],
    [
      'estimated',
      'rests on history and a benchmark',
      [baseline('history', EVE), baseline('benchmark')],
      LIVE,
    ],
  ])('is %s when the entry %s', async (basis, _, inputs, initiative) => {
    expect(await shown(inputs.length === 0 ? {} : calculated(...inputs), initiative)).toMatchObject({
      basis,
    });
  });

  it('is estimated when the entry was marked so, on any evidence', async () => {
    expect(await shown({ is_estimated: true })).toMatchObject({ basis: 'estimated' });
    const measured = calculated(baseline('history', EVE));
    expect(await shown({ ...measured, is_estimated: true }, LIVE)).toMatchObject({ basis: 'estimated' });
  });
});

describe('provenance', () => {
  it.each([
    ['manual', 'Entered by hand'],
    ['csv', 'Imported from CSV'],
    ['assistant', 'Recorded by the assistant'],
  ])('of a %s entry is "%s"', async (source_type, provenance) => {
    expect(await shown({ source_type })).toMatchObject({ provenance });
  });

  it('of a calculated entry names the formula as it was called at evaluation', async () => {
    expect(await shown(calculated(baseline('history')))).toMatchObject({
      provenance: 'Calculated by Time saved',
      formula_key: 'time_saved',
      formula_name: 'Time saved',
      formula_version: 3,
      formula_expression: 'a',
    });
  });

  it('of a synced entry names the platform, not the connection', async () => {
    await ledger.write(() =>
      ledger.owner.query(
        `insert into ledger.platforms (key, name, category) values ('books', 'Good Books', 'finance')`,
      ),
    );
    const connection = { platform_key: 'books', name: 'Our own', status: 'active' };
    const connection_id = await ledger.add('ledger.connections', connection);
    expect(await shown({ source_type: 'integration', connection_id })).toMatchObject({
      provenance: 'Synced from Good Books',
      platform: 'books',
    });
  });
});

describe('counts_toward_roi', () => {
  it.each([
    ['revenue_gain', true],
    ['cost_savings', true],
    ['cost_avoidance', true],
    ['capacity_realized', true],
    ['capacity', false],
  ])('of approved %s is %s', async (entry_type, counts_toward_roi) => {
    expect(await shown({ entry_type })).toMatchObject({ counts_toward_roi });
  });

  it.each(['draft', 'calculated', 'reviewed', 'disputed', 'archived'])(
    'is false for a saving that is %s',
    async (status) => {
      expect(await shown({ status })).toMatchObject({ counts_toward_roi: false });
    },
  );

  it('is false without a dollar figure', async () => {
    expect(await shown({ currency: 'EUR' })).toMatchObject({
      usd_amount_cents: null,
      counts_toward_roi: false,
    });
  });
});

describe('locked', () => {
  const MAY = { period_start: '2026-05-31', period_end: '2026-06-30' };
  it('is true for approved value of a locked month alone: the month of the first day', async () => {
    const { owner, home, write } = ledger;
    const ids = await write(async () => [
      await addValue(owner, home, MAY),
      await addValue(owner, home, { ...MAY, status: 'reviewed' }),
      await addValue(owner, home, { period_start: '2026-06-01', period_end: '2026-06-30' }),
      await addValue(owner, home, { period_start: null, period_end: null }),
    ]);
    expect(await lockedNow(ids)).toEqual([false, false, false, false]);
    await write(() => lockMonth(owner, home.account, '2026-05-01'));
    expect(await lockedNow(ids)).toEqual([true, false, false, false]);
    await write(() => reopenMonth(owner, home.account, '2026-05-01'));
    expect(await lockedNow(ids)).toEqual([false, false, false, false]);
  });

  it('is false in a month that is only in review', async () => {
    await ledger.add('ledger.accounting_months', { month: '2026-07-01', status: 'in_review' });
    expect(await shown({ period_start: '2026-07-01', period_end: null })).toMatchObject({ locked: false });
  });
});

describe('approval', () => {
  it.each([
    ['auto', 'auto', null],
    ['direct', 'direct', 'Ada'],
  ])('of source %s is shown as %s', async (source, approval_source, approved_by_name) => {
    const { owner, home, write, read } = ledger;
    const id = await write(async () => {
      const entry = await addValue(owner, home);
      await insert(owner, 'ledger.approval_decisions', {
        account_id: home.account,
        subject_kind: 'value_entry',
        subject_id: entry,
        subject_title: 'Saved',
        initiative_id: home.initiative,
        decision: 'approved',
        source,
        decided_by_id: source === 'auto' ? null : home.person,
        decided_at: '2026-04-05T01:02:03.000004Z',
      });
      return entry;
    });
    const [entry] = await read('select * from reporting.value_entries where id = $1', [id]);
    // 2026-04-05 is day 20,548: 56 years × 365 + 14 leap days + 94.
    const approved_at = (20_548n * 86_400n + 3_723n) * 1_000_000n + 4n;
    expect(entry).toMatchObject({ approval_source, approved_at, approved_by_name });
  });

  it('without a decision is direct, without person and time', async () => {
    expect(await shown({})).toMatchObject({
      approval_source: 'direct',
      approved_by_id: null,
      approved_at: null,
    });
  });
});
