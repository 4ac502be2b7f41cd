import { expect, it } from 'vitest';
import { mustLoad } from '../../src/warehouse/held-snapshots.ts';

const MONDAY = { account_id: 1n, snapshot_id: '20260713T020000Z' };
const TUESDAY = { account_id: 1n, snapshot_id: '20260714T020000Z' };
const OTHERS = { account_id: 2n, snapshot_id: '20260714T020000Z' };

it.each([
  ['an empty schema', [], false, true],
  ['a schema with the snapshot', [TUESDAY], false, false],
  ['a schema with another snapshot', [MONDAY], false, true],
  ['a schema with another account’s snapshot of the same second', [OTHERS], false, true],
  ['an empty history', [], true, true],
  ['a history with the snapshot', [MONDAY, TUESDAY], true, false],
  ['a history without it', [MONDAY], true, true],
])('the decision to load is made for %s', (_, held, history, expected) => {
  expect(mustLoad({ held, pulled: TUESDAY, history, schema: 'figures' })).toBe(expected);
});

it('the decision refuses to replace a history, and to mix the histories of two accounts', () => {
  const decide = (held: readonly (typeof MONDAY)[], history: boolean) => () =>
    mustLoad({ held, pulled: TUESDAY, history, schema: 'figures' });
  expect(decide([MONDAY, TUESDAY], false)).toThrow('holds 2 snapshots');
  expect(decide([OTHERS], true)).toThrow(
    'Schema figures holds snapshots of account 2; this one is of account 1.',
  );
});
