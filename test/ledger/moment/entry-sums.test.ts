/** Which entries a scope holds, and how they are grouped once a window has cut a month. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRollup } from '../../../src/figures/rollup.ts';
import type { EntryScope } from '../../../src/ledger/moment/entry-scope.ts';
import { readScopeSums } from '../../../src/ledger/moment/entry-sums.ts';
import { readUnsettledAmounts } from '../../../src/ledger/moment/unsettled-amounts.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  type Founded,
  addCost,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
} from '../../support/ledger-rows.ts';

let database: TestDatabase;
let reader: Client;
let home: Founded;
let other: Founded;
let sample: Founded;
beforeAll(async () => {
  database = await createDatabase();
  reader = await database.client('cf_reader');
  const owner = await database.client('cf_owner');
  home = await foundAccount(owner);
  const neighbour = await foundAccount(owner);
  await inAccount(owner, neighbour.account, () => addCost(owner, neighbour, { amount_cents: 1_000_000 }));
  await inAccount(owner, home.account, async () => {
    other = { ...home, initiative: await addInitiative(owner, home.account) };
    sample = { ...home, initiative: await addInitiative(owner, home.account, { is_sample: true }) };
    const undated = { period_start: null, period_end: null };
    // Costs of powers of two, so that a sum says which are in it; as many more in shillings, which have no dollars.
    for (const currency of ['USD', 'KES']) {
      const cost = (of: Founded, amount_cents: number, period: object) =>
        addCost(owner, of, { amount_cents, currency, ...period });
      await cost(home, 1, on('2026-01-15'));
      await cost(home, 2, on('2026-01-16'));
      await cost(home, 4, on('2026-02-28'));
      await cost(home, 8, on('2026-03-01'));
      await cost(home, 16, undated);
      await cost(other, 32, on('2026-01-16'));
      await cost(sample, 64, on('2026-01-16'));
    }
    // 100 freed on the 10th, 60 of it cash on the 20th.
    await addValue(owner, other, { entry_type: 'capacity', amount_cents: 100, ...on('2026-01-10') });
    await addValue(owner, other, { entry_type: 'capacity_realized', amount_cents: 60, ...on('2026-01-20') });
    // A month later 10 are freed and 25 become cash.
    await addValue(owner, other, { entry_type: 'capacity', amount_cents: 10, ...on('2026-02-10') });
    await addValue(owner, other, { entry_type: 'capacity_realized', amount_cents: 25, ...on('2026-02-20') });
  });
});
afterAll(() => database.drop());

type Asked = Partial<EntryScope>;

async function read(asked: Asked) {
  const scope = {
    account_id: home.account,
    initiative_id: null,
    include_sample: false,
    days: null,
    ...asked,
  };
  return inAccount(reader, home.account, async () => {
    const rollup = openRollup();
    for (const sums of await readScopeSums(reader, scope)) rollup.add(sums);
    const beside = await readUnsettledAmounts(reader, scope);
    return { figures: rollup.figures(), latestDay: rollup.latestDay(), beside };
  });
}

describe('a scope', () => {
  it.each<[string, () => Asked, bigint]>([
    ['all of the portfolio, undated entries too', () => ({}), 63n],
    ['samples as well', () => ({ include_sample: true }), 127n],
    ['one initiative', () => ({ initiative_id: home.initiative }), 31n],
    ['no sample that was not asked for', () => ({ initiative_id: sample.initiative }), 0n],
    ['a sample', () => ({ initiative_id: sample.initiative, include_sample: true }), 64n],
    ['the days of a window, both ends included', () => ({ days: days('2026-01-16', '2026-02-28') }), 38n],
    ['one day', () => ({ days: days('2026-03-01', '2026-03-01') }), 8n],
    [
      'the days of one initiative',
      () => ({ days: days('2026-01-01', '2026-01-31'), initiative_id: home.initiative }),
      3n,
    ],
  ])('holds %s', async (_, asked, cents) => {
    const { figures, beside } = await read(asked());
    expect(figures.cost_cents).toBe(cents);
    // What stands beside the sums is of the very same entries.
    expect(beside.map(({ amount_cents }) => amount_cents)).toEqual(cents === 0n ? [] : [cents]);
  });

  it('knows the latest day on which an entry begins, with dollars or without', async () => {
    expect((await read({})).latestDay).toBe('2026-03-01');
    expect((await read({ initiative_id: sample.initiative })).latestDay).toBeNull();
  });
});

describe('freed capacity of a month that a window cuts', () => {
  it.each<[string, Asked['days'] & object, bigint, bigint]>([
    ['is what the whole month has left', days('2026-01-01', '2026-01-31'), 40n, 60n],
    ['is all of it where what became cash lies after the window', days('2026-01-01', '2026-01-19'), 100n, 0n],
    [
      'is nothing, and not below it, where only what became cash lies inside',
      days('2026-01-11', '2026-01-31'),
      0n,
      60n,
    ],
  ])('%s', async (_, window, freed, realized) => {
    const { figures } = await read({ days: window });
    expect(figures.freed_capacity_cents).toBe(freed);
    expect(figures.realized_capacity_cents).toBe(realized);
  });
});

it('the freed capacity of one month loses nothing to another month that realised more than it freed', async () => {
  for (const asked of [{}, { initiative_id: other.initiative }, { days: days('2026-01-01', '2026-02-28') }]) {
    const { figures } = await read(asked);
    expect(figures.freed_capacity_cents).toBe(40n); // 100 − 60, and nothing of 10 − 25
    expect(figures.realized_capacity_cents).toBe(85n); // 60 + 25
    expect(figures.cash_value_cents).toBe(85n);
  }
});

/** A period that begins on a day and has no end. */
function on(period_start: string) {
  return { period_start, period_end: null };
}

function days(from: string, through: string) {
  return { from, through };
}
