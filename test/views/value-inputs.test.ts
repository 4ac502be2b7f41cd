/** What value_inputs and metric_readings unfold from calculated entries, worked by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Row, addInitiative, addValue } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';
import { tableRow, tableRows } from './table-rows.ts';

let ledger: ViewLedger;
let sample: bigint;
let formula_version_id: bigint;
let metric_id: bigint;
beforeAll(async () => {
  ledger = await openLedger();
  sample = await ledger.write(() => addInitiative(ledger.owner, ledger.home.account, { is_sample: true }));
  const formula_id = await ledger.add('ledger.formulas', { formula_key: 'time_saved' });
  formula_version_id = await ledger.add('ledger.formula_versions', {
    formula_id,
    version: 1,
    name: 'Time saved',
    expression: 'a',
  });
  metric_id = await ledger.add('ledger.metrics', { metric_key: 'quotes.minutes', name: 'Minutes a quote' });
});
afterAll(() => ledger.database.drop());

type Inputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** An approved entry calculated from these inputs. */
const addCalculated = (inputs: Inputs, row: Row = {}, initiative = ledger.home.initiative): Promise<bigint> =>
  ledger.write(() =>
    addValue(
      ledger.owner,
      { ...ledger.home, initiative },
      {
        source_type: 'calculated',
        formula_version_id,
        input_snapshot: JSON.stringify({ expression: 'a', inputs }),
        ...row,
      },
    ),
  );

const addReading = (row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.observations', {
    metric_id,
    initiative_id: ledger.home.initiative,
    value: 20,
    role: 'reading',
    source_type: 'system',
    ...row,
  });

/** An approved entry that rests on the observation. */
const use = (observation: bigint, row: Row = {}, initiative = ledger.home.initiative): Promise<bigint> =>
  addCalculated({ a: { observation_id: Number(observation), value: 1 } }, row, initiative);

const reading = (id: bigint) => tableRow(ledger, 'metric_readings', 'observation_id', id);

async function inputsOf(entry: bigint): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await tableRows(ledger, 'value_inputs');
  return rows.filter((row) => row['value_entry_id'] === entry);
}

const NOTHING = {
  label: null,
  value: null,
  source_type: null,
  metric_key: null,
  observation_id: null,
  assumption_id: null,
  assumption_key: null,
  assumption_scope: null,
  requires_confirmation: null,
  assumption_effective_from: null,
  observed_at: null,
  input_period_start: null,
  input_period_end: null,
  expression: null,
};

describe('value_inputs', () => {
  it('has a row for each input, by variable in C order, and null for a field that was not frozen', async () => {
    const observation = await addReading();
    const assumed = {
      label: 'Hourly cost, "office"',
      value: 40.5,
      source_type: 'assumption',
      assumption_id: 91,
      assumption_key: 'hourly_cost',
      assumption_scope: 'account',
      requires_confirmation: false,
      assumption_effective_from: '2024-04-01',
    };
    const read = {
      value: 20,
      source_type: 'observation',
      metric_key: 'quotes.minutes',
      observed_at: '2024-09-30T22:00:00+02:00',
      input_period_start: '2024-09-01',
      input_period_end: '2024-09-30',
    };
    const derived = { value: -1e-9, source_type: 'derived', expression: 'b - a' };
    const entry = await addCalculated({
      b: { ...read, observation_id: Number(observation) },
      a: assumed,
      Z: derived,
      c: {},
      d: { value: null, label: null },
    });
    const of = { value_entry_id: entry, initiative_id: ledger.home.initiative };
    expect(await inputsOf(entry)).toEqual([
      { ...of, ...NOTHING, variable: 'Z', ...derived },
      { ...of, ...NOTHING, variable: 'a', ...assumed, assumption_id: 91n },
      { ...of, ...NOTHING, variable: 'b', ...read, observation_id: observation },
      { ...of, ...NOTHING, variable: 'c' },
      { ...of, ...NOTHING, variable: 'd' },
    ]);
  });

  it('has no row of an entry that was calculated from nothing or by no formula', async () => {
    const empty = await addCalculated({});
    const byHand = await ledger.write(() => addValue(ledger.owner, ledger.home));
    expect([...(await inputsOf(empty)), ...(await inputsOf(byHand))]).toEqual([]);
  });

  it.each(['draft', 'calculated', 'reviewed', 'disputed', 'archived'])(
    'has no row of an entry that is %s',
    async (status) => {
      expect(await inputsOf(await addCalculated({ a: { value: 1 } }, { status }))).toEqual([]);
    },
  );

  it('has no row of a sample’s entry', async () => {
    expect(await inputsOf(await addCalculated({ a: { value: 1 } }, {}, sample))).toEqual([]);
  });

  it('has the inputs of an entry that someone typed after calculating it', async () => {
    const entry = await addCalculated({ a: { value: 1 } }, { source_type: 'manual' });
    expect(await inputsOf(entry)).toMatchObject([{ variable: 'a', value: 1 }]);
  });

  it('keeps the frozen values when the reading changes', async () => {
    const observation = await addReading({ value: 20 });
    const entry = await addCalculated({ a: { observation_id: Number(observation), value: 20 } });
    await ledger.write(() =>
      ledger.owner.query('update ledger.observations set value = 21 where id = $1', [observation]),
    );
    expect(await inputsOf(entry)).toMatchObject([{ value: 20 }]);
    expect(await tableRow(ledger, 'metric_readings', 'observation_id', observation)).toMatchObject({
      value: 21,
    });
  });
});

describe('metric_readings', () => {
  it('has a reading with its metric, period and breakdown, once however often it is used', async () => {
    const connected = await ledger.owner.query(
      `insert into ledger.platforms (key, name, category) values ('clock', 'Clock', 'time')`,
    );
    expect(connected.rowCount).toBe(1);
    const connection_id = await ledger.add('ledger.connections', { platform_key: 'clock', status: 'active' });
    const id = await addReading({
      value: 120_000.25,
      currency: 'EUR',
      source_type: 'integration',
      connection_id,
      observed_at: '2026-04-30T22:00:00.000001Z',
      period_start: '2026-04-01',
      period_end: '2026-04-30',
      sample_size: 60,
      dimensions: '{"b": 1, "B": {"z": [2.50], "a": "x"}}',
      notes: 'Whole plant',
    });
    await use(id);
    await use(id);
    const rows = await tableRows(ledger, 'metric_readings');
    expect(rows.filter((row) => row['observation_id'] === id)).toEqual([
      {
        observation_id: id,
        metric_key: 'quotes.minutes',
        metric_name: 'Minutes a quote',
        initiative_id: ledger.home.initiative,
        role: 'reading',
        value: 120_000.25,
        currency: 'EUR',
        // Microseconds since 1970: 2026-04-01 is 20,544 days after it, 2026-04-30 another 29.
        period_start: 20_544n * 86_400_000_000n,
        period_end: 20_573n * 86_400_000_000n,
        observed_at: 20_573n * 86_400_000_000n + 22n * 3_600_000_000n + 1n,
        sample_size: 60,
        is_estimated: false,
        source_type: 'integration',
        connection_id,
        dimensions: '{"B":{"a":"x","z":[2.50]},"b":1}',
        notes: 'Whole plant',
        recorded_by_id: null,
        recorded_by_name: null,
        baseline_method: null,
        time_study_id: null,
        valid_until: null,
      },
    ]);
  });

  it('names who recorded it', async () => {
    const id = await addReading({ source_type: 'manual', recorded_by_id: ledger.home.person });
    await use(id);
    expect(await reading(id)).toMatchObject({
      recorded_by_id: ledger.home.person,
      recorded_by_name: 'Ada',
    });
  });

  it('has only what approved entries of real initiatives used', async () => {
    const unused = await addReading();
    const drafted = await addReading();
    const demo = await addReading();
    await use(drafted, { status: 'calculated' });
    await use(demo, {}, sample);
    const ofSample = await addReading({ initiative_id: sample });
    await use(ofSample, {}, sample);
    const listed = (await tableRows(ledger, 'metric_readings')).map((row) => row['observation_id']);
    expect([unused, drafted, demo, ofSample].filter((id) => listed.includes(id))).toEqual([]);
    await use(demo);
    expect(await reading(demo)).toBeDefined();
  });

  it('has a reading of the whole account, and one deleted since', async () => {
    const id = await addReading({ initiative_id: null, deleted_at: '2025-06-15T08:00:00Z' });
    await use(id);
    expect(await reading(id)).toMatchObject({ initiative_id: null });
  });

  it('keeps a reading whose initiative was deleted, now of the whole account', async () => {
    const gone = await ledger.write(() => addInitiative(ledger.owner, ledger.home.account));
    const id = await addReading({ initiative_id: gone });
    await use(id);
    await ledger.write(() => ledger.owner.query('delete from ledger.initiatives where id = $1', [gone]));
    expect(await reading(id)).toMatchObject({ initiative_id: null });
  });

  it('keeps an account’s time study whose initiative was deleted, and drops an initiative’s own', async () => {
    const gone = await ledger.write(() => addInitiative(ledger.owner, ledger.home.account));
    const study = {
      metric_id,
      title: 'Desk',
      started_on: '2024-07-01',
      ended_on: '2024-07-31',
      restudy_months: 12,
    };
    const shared = await ledger.add('ledger.time_studies', study);
    const own = await ledger.add('ledger.time_studies', { ...study, initiative_id: gone });
    const ids: bigint[] = [];
    for (const time_study_id of [shared, own]) {
      ids.push(await addReading({ source_type: 'time_study', initiative_id: gone, time_study_id }));
      await use(ids.at(-1) ?? 0n);
    }
    await ledger.write(() => ledger.owner.query('delete from ledger.initiatives where id = $1', [gone]));
    expect(await reading(ids[0] ?? 0n)).toMatchObject({ time_study_id: shared, valid_until: '2025-07-31' });
    expect(await reading(ids[1] ?? 0n)).toMatchObject({ time_study_id: null, valid_until: null });
  });

  // The interval counts whole months: from the last day of a month it never reaches into the next but one.
  it.each([
    ['2024-07-31', 12, '2025-07-31'],
    ['2025-03-14', 6, '2025-09-14'],
    ['2025-08-31', 6, '2026-02-28'],
    ['2023-11-30', 3, '2024-02-29'],
  ])(
    'has a time study that ended on %s and holds %i months valid until %s',
    async (ended_on, months, until) => {
      const time_study_id = await ledger.add('ledger.time_studies', {
        metric_id,
        title: 'Quote desk',
        started_on: '2023-01-01',
        ended_on,
        restudy_months: months,
      });
      const study = { role: 'baseline', baseline_method: 'time_study', source_type: 'time_study' };
      const id = await addReading({ ...study, time_study_id });
      const without = await addReading(study);
      await use(id);
      await use(without);
      expect(await reading(id)).toMatchObject({ ...study, time_study_id, valid_until: until });
      expect(await reading(without)).toMatchObject({ ...study, time_study_id: null, valid_until: null });
    },
  );
});
