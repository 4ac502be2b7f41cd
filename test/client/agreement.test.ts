/** Which fact of a sent manifest differs from the signed one, and which further or missing facts make no difference. */
import { expect, it } from 'vitest';
import { firstDifference } from '../../src/client/agreement.ts';

const SIGNED = {
  snapshot_id: '20260715T020000Z',
  account_id: 7,
  retraction: null,
  tables: [
    { name: 'costs', row_count: 1 },
    { name: 'snapshot', row_count: 1 },
  ],
};
const [costs, snapshot] = SIGNED.tables;

it('a sent manifest agrees with further facts, without facts of an older server, and without what only a builder needs', () => {
  const stored = { ...SIGNED, nonce: 'n', pg_snapshot: 'p', companions: [{ name: 'c' }] };
  const { account_id: _, ...older } = SIGNED;
  expect(firstDifference(SIGNED, stored)).toBeNull();
  const others = { nonce: 'other', pg_snapshot: null, companions: [] };
  expect(firstDifference({ ...SIGNED, ...others }, stored)).toBeNull();
  expect(
    firstDifference({ ...older, pins: [], tables: [{ ...costs, url: 'u' }, snapshot] }, stored),
  ).toBeNull();
});

it.each<[string, object]>([
  ['account_id', { account_id: 8 }],
  ['account_id', { account_id: '7' }],
  ['retraction', { retraction: { reason: 'Wrong.' } }],
  ['tables', { tables: [costs] }],
  ['tables', { tables: [costs, snapshot, { name: 'more', row_count: 1 }] }],
  ['tables', { tables: { 0: costs, 1: snapshot } }],
  ['tables', { tables: null }],
  ['tables.0.name', { tables: [snapshot, costs] }],
  ['tables.1.row_count', { tables: [costs, { ...snapshot, row_count: 2 }] }],
])('the first fact that differs is %s in %j', (path, changed) => {
  expect(firstDifference({ ...SIGNED, ...changed }, SIGNED)).toBe(path);
});

it.each([null, 7, 'text', []])('what is no manifest has another form: %j', (sent) => {
  expect(firstDifference(sent, SIGNED)).toBe('form');
});

it('facts that nest without an end differ', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
  expect(firstDifference({ a: nested(10) }, { a: nested(10) })).toBeNull();
  expect(firstDifference({ a: nested(1_000) }, { a: nested(1_000) })).toMatch(/^a\.a\./);
});
