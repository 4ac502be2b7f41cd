import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bound, createCursors } from '../../../src/serve/contract/cursor.ts';

const OLD_KEY = 'the key of last year, which still verifies';
const NEW_KEY = 'the key of this year, which signs what is new';
const cursors = createCursors([NEW_KEY]);
const refused = expect.objectContaining({
  code: 'parameter_refused',
  message: 'The parameter cursor does not belong to this list with these parameters.',
});

const instants = fc.bigInt({ min: 0n, max: 7_258_118_399_999_999n }); // through 2199
const ids = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const places = fc.record({ updated_at: instants, id: ids });
const bounds: fc.Arbitrary<Bound> = fc.record({
  account_id: ids,
  route: fc.constantFrom('cost_entries', 'value_entries', 'initiatives'),
  filters: fc.dictionary(
    fc.constantFrom('status', 'initiative_id', 'updated_since', 'period_from', 'include_sample'),
    fc.oneof(fc.string(), ids, fc.boolean(), fc.constant(undefined)),
  ),
});

/** What a bound means: filters that were not given are none, and their order is nothing. */
const meaning = ({ account_id, route, filters }: Bound): string =>
  JSON.stringify([
    String(account_id),
    route,
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)])
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
  ]);

function opened(cursor: string, bound: Bound, by = cursors): unknown {
  try {
    return by.open(bound, cursor);
  } catch (error) {
    return error;
  }
}

describe('a cursor', () => {
  it('leads back to the very place, to the microsecond, for what it was made for', () => {
    fc.assert(
      fc.property(bounds, places, (bound, position) => {
        expect(cursors.open(bound, cursors.seal(bound, position))).toEqual(position);
      }),
    );
  });

  it('A-7: is refused for any other account, route or filter', () => {
    fc.assert(
      fc.property(bounds, bounds, places, (bound, other, position) => {
        fc.pre(meaning(bound) !== meaning(other));
        expect(opened(cursors.seal(bound, position), other)).toEqual(refused);
      }),
    );
  });

  it.each([
    ['account', { account_id: 2n }],
    ['route', { route: 'value_entries' }],
    ['filter', { filters: { status: 'draft' } }],
    ['filter more', { filters: { status: 'approved', initiative_id: 7n } }],
    ['filter less', { filters: {} }],
  ])('is refused when only the %s differs', (_, changed) => {
    const bound: Bound = { account_id: 1n, route: 'cost_entries', filters: { status: 'approved' } };
    const cursor = cursors.seal(bound, { updated_at: 5n, id: 6n });
    expect(opened(cursor, { ...bound, ...changed })).toEqual(refused);
  });

  it('stays valid when an omitted filter is written with its default', () => {
    const bound: Bound = { account_id: 1n, route: 'cost_entries', filters: { status: 'approved' } };
    const cursor = cursors.seal(bound, { updated_at: 5n, id: 6n });
    const same = { ...bound, filters: { initiative_id: undefined, status: 'approved' } };
    expect(opened(cursor, same)).toEqual({ updated_at: 5n, id: 6n });
  });

  it('is a version, a position and a seal over its binding, in any order of the filters', () => {
    // Version 1; 2 ms and 1 µs since 1970 are 7d1 in hexadecimal, id 255 is ff.
    const position = Buffer.from(['01', '00000000000007d1', '00000000000000ff'].join(''), 'hex');
    const bytes =
      '["cursor","1","cost_entries",[["include_sample","true"],["initiative_id","7"],["status","draft"]]]';
    const seal = createHmac('sha256', NEW_KEY).update(position).update(bytes).digest();
    const filters = [
      ['status', 'draft'],
      ['initiative_id', 7n],
      ['include_sample', true],
    ] as const;
    const orders = [filters, filters.toReversed(), [filters[1], filters[0], filters[2]]];
    for (const order of orders) {
      const bound: Bound = { account_id: 1n, route: 'cost_entries', filters: Object.fromEntries(order) };
      const cursor = cursors.seal(bound, { updated_at: 2_001n, id: 255n });
      expect(cursor).toBe(Buffer.concat([position, seal]).toString('base64url'));
    }
  });

  it('A-7: is refused after any of 10,000 changes: a character changed, lost, doubled, added, or cut off', () => {
    const characters = Array.from(
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.% \u0000é',
    );
    const changes = fc.constantFrom('change', 'lose', 'double', 'add', 'cut', 'end');
    fc.assert(
      fc.property(
        bounds,
        places,
        changes,
        fc.nat(),
        fc.constantFrom(...characters),
        (bound, position, change, where, other) => {
          const cursor = cursors.seal(bound, position);
          const at = where % cursor.length;
          const [before, here, after] = [cursor.slice(0, at), cursor.charAt(at), cursor.slice(at + 1)];
          const changed = {
            change: before + other + after,
            lose: before + after,
            double: before + here + here + after,
            add: before + other + here + after,
            cut: before,
            end: cursor + other,
          }[change];
          fc.pre(changed !== cursor);
          expect(opened(changed, bound)).toEqual(refused);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('keeps its last character: bits that decoding would drop are no second spelling', () => {
    // 17 + 32 bytes are 392 bits; 66 characters hold 396, so the last carries four that mean nothing.
    const bound: Bound = { account_id: 1n, route: 'cost_entries', filters: {} };
    const cursor = cursors.seal(bound, { updated_at: 5n, id: 6n });
    expect(cursor).toHaveLength(66);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twins = Array.from(alphabet, (last) => cursor.slice(0, -1) + last).filter(
      (each) => each !== cursor,
    );
    expect(twins.filter((each) => !(opened(each, bound) instanceof Error))).toEqual([]);
  });
});

describe('a new key before the old one', () => {
  const before = createCursors([OLD_KEY]);
  const during = createCursors([NEW_KEY, OLD_KEY]);
  const after = createCursors([NEW_KEY]);

  it('opens cursors of both keys, signs with the new key, and refuses the old key’s cursors once that is removed', () => {
    fc.assert(
      fc.property(bounds, places, (bound, position) => {
        const old = before.seal(bound, position);
        expect(during.open(bound, old)).toEqual(position);
        expect(during.seal(bound, position)).toBe(after.seal(bound, position));
        expect(opened(during.seal(bound, position), bound, before)).toEqual(refused);
        expect(opened(old, bound, after)).toEqual(refused);
      }),
    );
  });
});
