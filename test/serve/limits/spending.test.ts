import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Spent } from '../../../src/ops/rate-limits.ts';
import { countSpending, windowNumber } from '../../../src/serve/limits/spending.ts';

const MINUTE = 60_000;

const MANY = 1_000_000;

/** A counter with a clock to turn, which stands at the first moment of one of the subject's windows. */
function counting(subject: string) {
  const clock = { now: 0 };
  const spending = countSpending(() => clock.now, 10);
  clock.now = (spending.take(subject, MANY).seconds - 1) * 1_000;
  while (spending.take(subject, MANY).remaining < MANY - 1) clock.now += 1;
  clock.now += MINUTE;
  const allowed = (limit: number, times: number): number =>
    Array.from({ length: times }, () => spending.take(subject, limit)).filter((each) => each.allowed).length;
  return { clock, spending, allowed };
}

/** What another server makes of it: the database, without the database. */
function pooled() {
  const rows = new Map<string, Spent>();
  return (spent: readonly Spent[]): readonly Spent[] =>
    spent.map(({ window_number, subject, points }) => {
      const key = `${window_number} ${subject}`;
      const total = { window_number, subject, points: points + (rows.get(key)?.points ?? 0) };
      rows.set(key, total);
      return total;
    });
}

describe('what a subject spends', () => {
  it('is allowed up to the limit and no further, and says what is left', () => {
    const { spending } = counting('token:1');
    const told = [1, 2, 3].map(() => spending.take('token:1', 2));
    expect(told.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
  });

  it('is there again after a minute, all of it, and not a moment before', () => {
    const { clock, allowed } = counting('token:1');
    expect(allowed(3, 5)).toBe(3);
    clock.now += MINUTE - 1;
    expect(allowed(3, 5)).toBe(0);
    clock.now += 1;
    expect(allowed(3, 5)).toBe(3);
  });

  it('comes back after the seconds it was told, rounded up, and never after none', () => {
    const { clock, spending, allowed } = counting('token:1');
    expect(spending.take('token:1', 5).seconds).toBe(60);
    clock.now += 58_500;
    expect(spending.take('token:1', 5).seconds).toBe(2);
    clock.now += 1_499;
    expect(spending.take('token:1', 5).seconds).toBe(1);
    expect(allowed(5, 9)).toBe(2);
  });

  it('does not weigh on another subject', () => {
    const { spending, allowed } = counting('token:1');
    expect(allowed(3, 5)).toBe(3);
    expect(spending.take('token:2', 3)).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('may be charged beyond the limit', () => {
    const { spending, allowed } = counting('address:192.0.2.1');
    spending.charge('address:192.0.2.1', 19);
    expect(allowed(20, 5)).toBe(1);
    spending.charge('address:192.0.2.1', 100);
    expect(spending.take('address:192.0.2.1', 20)).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('is not more for what was refused: a refusal spends nothing', () => {
    const { spending, allowed } = counting('token:1');
    allowed(3, 100);
    expect(spending.unshared().map(({ points }) => points)).toEqual([3]);
  });

  it('is forgotten when too many others spend: memory has an end', () => {
    const { spending, allowed } = counting('token:1');
    expect(allowed(1, 2)).toBe(1);
    for (let id = 2; id < 12; id += 1) spending.take(`token:${id}`, 1);
    expect(spending.unshared()).toHaveLength(10);
    expect(allowed(1, 2)).toBe(1);
  });

  it('does not begin anew for everybody in the same second', () => {
    const spending = countSpending(() => 0);
    const seconds = Array.from({ length: 60 }, (_, id) => spending.take(`token:${id}`, 1).seconds);
    expect(new Set(seconds).size).toBeGreaterThan(20);
  });

  it('lies in no window older than the one running', () => {
    const spending = countSpending(() => 10 * MINUTE + 30_000);
    for (let id = 0; id < 100; id += 1) spending.take(`token:${id}`, 1);
    const windows = new Set(spending.unshared().map(({ window_number }) => window_number));
    expect(windows).toEqual(new Set([10, 11]));
    expect(windowNumber(10 * MINUTE + 30_000)).toBe(10);
  });
});

describe('two servers', () => {
  it('refuse as one after each exchange', () => {
    const add = pooled();
    const [one, two] = [counting('token:1'), counting('token:1')];
    expect([one.allowed(10, 6), two.allowed(10, 3)]).toEqual([6, 3]);
    for (const { spending } of [one, two, one]) {
      const spent = spending.unshared();
      spending.learn(spent, add(spent));
    }
    // 9 of 10 are gone; the second server knows, and the first does once it exchanges anything.
    expect(two.allowed(10, 5)).toBe(1);
  });

  it('lose nothing that is spent while they exchange', () => {
    const { spending, allowed } = counting('token:1');
    allowed(10, 2);
    const spent = spending.unshared();
    allowed(10, 3);
    // Another server has spent 4: 2 + 4 are told, and 3 are new.
    spending.learn(
      spent,
      spent.map((each) => ({ ...each, points: 6 })),
    );
    expect(spending.unshared().map(({ points }) => points)).toEqual([3]);
    expect(allowed(10, 9)).toBe(1);
  });

  it('forget an answer about a window that has ended', () => {
    const { clock, spending, allowed } = counting('token:1');
    allowed(10, 5);
    const spent = spending.unshared();
    clock.now += MINUTE;
    allowed(10, 1);
    spending.learn(
      spent,
      spent.map((each) => ({ ...each, points: 500 })),
    );
    expect(allowed(10, 20)).toBe(9);
  });

  it('never allow more than the limit once all was told, in whatever order they spend and exchange', () => {
    const steps = fc.array(fc.tuple(fc.nat(2), fc.boolean()), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (order, limit) => {
        const add = pooled();
        const servers = [counting('token:1'), counting('token:1'), counting('token:1')];
        let spentByAll = 0;
        for (const [which, exchanges] of order) {
          const server = servers[which];
          if (server === undefined) continue;
          if (exchanges) {
            const spent = server.spending.unshared();
            server.spending.learn(spent, add(spent));
          } else if (server.spending.take('token:1', limit).allowed) spentByAll += 1;
        }
        // Three servers that never met let pass the limit each, and no more.
        expect(spentByAll).toBeLessThanOrEqual(3 * limit);
        // Each tells, with a point that says nothing by itself, and so hears of the others.
        for (const { spending } of [...servers, ...servers]) {
          spending.charge('token:1', 1);
          const spent = spending.unshared();
          spending.learn(spent, add(spent));
        }
        const last = servers.map(({ spending }) => spending.take('token:1', limit).allowed);
        expect(last.includes(true) && spentByAll >= limit).toBe(false);
      }),
    );
  });
});
