import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { blockersOf, outcomeOf, processOf } from '../support/waiting.ts';
import {
  type Founded,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
  insert,
} from '../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let writer: Client;
let home: Founded;
let metric: bigint;
let formulaVersion: bigint;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  writer = await database.client('cf_writer');
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
  const account = { account_id: home.account };
  metric = await insert(owner, 'ledger.metrics', {
    ...account,
    metric_key: 'invoice.minutes',
    name: 'Minutes',
  });
  const formula = await insert(owner, 'ledger.formulas', { ...account, formula_key: 'time_saved' });
  formulaVersion = await insert(owner, 'ledger.formula_versions', {
    ...account,
    formula_id: formula,
    version: 1,
    name: 'Time saved',
    expression: 'minutes * rate',
  });
});

const write = <Result>(work: () => Promise<Result>): Promise<Result> => inAccount(writer, home.account, work);

const addReading = (initiative: bigint | null = home.initiative): Promise<bigint> =>
  insert(owner, 'ledger.observations', {
    account_id: home.account,
    metric_id: metric,
    initiative_id: initiative,
    value: 12,
    role: 'reading',
    source_type: 'manual',
  });

const snapshotOf = (...observations: readonly bigint[]): string => {
  const inputs = observations.map(
    (id, index) => `"v${index}": {"source_type": "observation", "observation_id": ${id}}`,
  );
  return `{"inputs": {${inputs.join(', ')}}, "expression": "minutes * rate"}`;
};

const addCalculated = (observation: bigint, initiative = home.initiative): Promise<bigint> =>
  addValue(
    writer,
    { ...home, initiative },
    {
      source_type: 'calculated',
      formula_version_id: formulaVersion,
      input_snapshot: snapshotOf(observation),
    },
  );

const readingIsLeft = async (id: bigint) => {
  const { rows } = await owner.query<{ initiative_id: bigint | null; deleted: boolean }>(
    'select initiative_id, deleted_at is not null as deleted from ledger.observations where account_id = $1 and id = $2',
    [home.account, id],
  );
  return rows[0];
};

describe('the readings behind an entry', () => {
  it('are stored beside it, without repetition and in order', async () => {
    const [first, second] = [await addReading(), await addReading()];
    const { rows } = await write(() =>
      writer.query(
        `insert into ledger.value_entries (account_id, initiative_id, status, source_type, formula_version_id, input_snapshot)
         values ($1, $2, 'calculated', 'calculated', $3, $4) returning input_observation_ids, formula_expression`,
        [home.account, home.initiative, formulaVersion, snapshotOf(second, first, second)],
      ),
    );
    expect(rows).toEqual([{ input_observation_ids: [first, second], formula_expression: 'minutes * rate' }]);
  });

  it('must exist in the account', async () => {
    const elsewhere = await foundAccount(owner);
    const foreignMetric = await insert(owner, 'ledger.metrics', {
      account_id: elsewhere.account,
      metric_key: 'm',
      name: 'M',
    });
    const foreign = await insert(owner, 'ledger.observations', {
      account_id: elsewhere.account,
      metric_id: foreignMetric,
      value: 1,
      role: 'reading',
      source_type: 'manual',
    });
    await expect(write(() => addCalculated(foreign))).rejects.toMatchObject({
      code: '23503',
      message: expect.stringContaining(`names observation ${foreign}, which this account does not have`),
    });
  });

  it('are not those of a sample initiative, unless the entry is a sample too', async () => {
    const sample = await addInitiative(owner, home.account, { is_sample: true });
    const reading = await addReading(sample);
    await expect(write(() => addCalculated(reading))).rejects.toMatchObject({ code: '23514' });
    await expect(write(() => addCalculated(reading, sample))).resolves.toBeTypeOf('bigint');
  });

  it('do not become a sample initiative’s afterwards, by its mark, the entry’s or a move', async () => {
    const other = await addInitiative(owner, home.account);
    const sample = await addInitiative(owner, home.account, { is_sample: true });
    const [real, demo] = [await addReading(other), await addReading(sample)];
    await write(() => addCalculated(real));
    await write(() => addCalculated(demo, sample));
    const refused = { code: '23514' };
    const mark = 'update ledger.initiatives set is_sample = not is_sample where id = $1';
    await expect(write(() => writer.query(mark, [other]))).rejects.toMatchObject(refused);
    await expect(
      write(() =>
        writer.query('update ledger.observations set initiative_id = $1 where id = $2', [sample, real]),
      ),
    ).rejects.toMatchObject(refused);
    // The sample's own reading and entry change sides together; another's reading would be left behind.
    await write(() => addCalculated(real, sample));
    await expect(write(() => writer.query(mark, [sample]))).resolves.toMatchObject({ rowCount: 1 });
  });

  it('do not stay with a sample initiative when the entry turns real', async () => {
    const [first, second] = [
      await addInitiative(owner, home.account, { is_sample: true }),
      await addInitiative(owner, home.account, { is_sample: true }),
    ];
    const demo = await addReading(first);
    await write(() => addCalculated(demo, second));
    await expect(
      write(() => writer.query('update ledger.initiatives set is_sample = false where id = $1', [second])),
    ).rejects.toMatchObject({ code: '23514' });
  });
});

describe('a used reading', () => {
  it('is marked deleted, never deleted', async () => {
    const reading = await addReading();
    await write(() => addCalculated(reading));
    await expect(
      write(() => writer.query('delete from ledger.observations where id = $1', [reading])),
    ).rejects.toMatchObject({ code: '23001' });
    await write(() =>
      writer.query('update ledger.observations set deleted_at = now() where id = $1', [reading]),
    );
    expect(await readingIsLeft(reading)).toEqual({ initiative_id: home.initiative, deleted: true });
  });

  it('may go with its entry in one transaction, and alone once nothing uses it', async () => {
    const [reading, unused] = [await addReading(), await addReading()];
    const entry = await write(() => addCalculated(reading));
    await write(async () => {
      await writer.query('delete from ledger.observations where id = any ($1)', [[reading, unused]]);
      await writer.query('delete from ledger.value_entries where id = $1', [entry]);
    });
    expect(await readingIsLeft(reading)).toBeUndefined();
    expect(await readingIsLeft(unused)).toBeUndefined();
  });

  it('cannot be deleted by one session while another begins to use it', async () => {
    const reading = await addReading();
    const other = await database.client('cf_writer');
    await other.query(`begin; set local app.account_id = '${home.account}'`);
    await other.query('delete from ledger.observations where id = $1', [reading]);
    // Its own check comes at commit and must wait for the deletion, then miss the reading.
    const user = await processOf(writer);
    const outcome = outcomeOf(write(() => addCalculated(reading)));
    expect(await blockersOf(owner, user)).toEqual([await processOf(other)]);
    await other.query('commit');
    expect(await outcome).toMatchObject({ code: '23503' });
    await other.end();
  });
});

describe('deleting an initiative', () => {
  it('takes its entries, readings and budgets, and leaves another’s', async () => {
    const other = await addInitiative(owner, home.account);
    const reading = await addReading();
    await write(() => addCalculated(reading));
    const kept = await addReading(other);
    await write(() =>
      insert(writer, 'ledger.budget_versions', {
        account_id: home.account,
        initiative_id: home.initiative,
        status: 'pending',
        source: 'manual',
        capex_cents: 0,
        opex_cents: 100,
        opex_cadence: 'monthly',
        currency: 'USD',
        effective_from: '2026-01-01',
      }),
    );
    await write(() => writer.query('delete from ledger.initiatives where id = $1', [home.initiative]));
    const { rows } = await owner.query(
      `select (select count(*) from ledger.value_entries where account_id = $1) as entries,
              (select count(*) from ledger.budget_versions where account_id = $1) as budgets,
              (select array_agg(id) from ledger.observations where account_id = $1) as readings`,
      [home.account],
    );
    expect(rows).toEqual([{ entries: 0n, budgets: 0n, readings: [kept] }]);
  });

  it('keeps a reading that another initiative’s entry used, marked deleted and without initiative', async () => {
    const other = await addInitiative(owner, home.account);
    const reading = await addReading();
    await write(() => addCalculated(reading, other));
    await write(() => writer.query('delete from ledger.initiatives where id = $1', [home.initiative]));
    expect(await readingIsLeft(reading)).toEqual({ initiative_id: null, deleted: true });
  });

  it('leaves the shares of a shared bill adding up to it', async () => {
    const other = await addInitiative(owner, home.account);
    const account = { account_id: home.account };
    await write(async () => {
      const bill = await insert(writer, 'ledger.shared_bills', {
        ...account,
        description: 'Cloud',
        amount_cents: 1001,
        currency: 'USD',
      });
      const line = { ...account, shared_bill_id: bill, weight: 1 };
      await insert(writer, 'ledger.allocation_lines', {
        ...line,
        initiative_id: home.initiative,
        amount_cents: 501,
      });
      await insert(writer, 'ledger.allocation_lines', { ...line, initiative_id: other, amount_cents: 500 });
    });
    await write(() => writer.query('delete from ledger.initiatives where id = $1', [home.initiative]));
    const { rows } = await owner.query(
      'select initiative_id, amount_cents from ledger.allocation_lines where account_id = $1 order by id',
      [home.account],
    );
    // 501 + 500 = 1001, as billed.
    expect(rows).toEqual([
      { initiative_id: null, amount_cents: 501n },
      { initiative_id: other, amount_cents: 500n },
    ]);
  });
});

describe('the lines of a shared bill', () => {
  it('are refused when they do not add up to it, at commit', async () => {
    const account = { account_id: home.account };
    const share = async (amount_cents: number): Promise<void> => {
      const bill = await insert(writer, 'ledger.shared_bills', {
        ...account,
        description: 'Cloud',
        amount_cents: 1000,
        currency: 'USD',
      });
      await insert(writer, 'ledger.allocation_lines', {
        ...account,
        shared_bill_id: bill,
        initiative_id: home.initiative,
        weight: 1,
        amount_cents,
      });
    };
    await expect(write(() => share(999))).rejects.toMatchObject({
      code: '23514',
      message: expect.stringContaining('its lines add up to 999 cents, the bill is 1000 cents'),
    });
    await write(() => share(1000));
    await expect(
      write(() => writer.query('update ledger.shared_bills set amount_cents = 1001')),
    ).rejects.toMatchObject({ code: '23514' });
    await expect(write(() => writer.query('delete from ledger.allocation_lines'))).resolves.toMatchObject({
      rowCount: 1,
    });
  });
});
