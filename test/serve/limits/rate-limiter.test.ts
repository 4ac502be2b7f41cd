import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Spent } from '../../../src/ops/rate-limits.ts';
import { createRateLimiter, windowNumber } from '../../../src/serve/limits/rate-limiter.ts';

const MINUTE = 60_000;

const MANY = 1_000_000;

/** A counter with a clock to turn, which stands at the first moment of one of the subject's windows. */
function counting(subject: string) {
  const clock = { now: 0 };
  const rateLimiter = createRateLimiter(() => clock.now, 10);
  clock.now = (rateLimiter.take(subject, MANY).seconds - 1) * 1_000;
  while (rateLimiter.take(subject, MANY).remaining < MANY - 1) clock.now += 1;
  clock.now += MINUTE;
  const allowed = (limit: number, times: number): number =>
    Array.from({ length: times }, () => rateLimiter.take(subject, limit)).filter((each) => each.allowed)
      .length;
  return { clock, rateLimiter, allowed };
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

describe('the spent points of a subject', () => {
  it('are allowed up to the limit and no further, with the remaining points', () => {
    const { rateLimiter } = counting('token:1');
    const told = [1, 2, 3].map(() => rateLimiter.take('token:1', 2));
    expect(told.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
  });

  it('are free again after a minute, completely, and not earlier', () => {
    const { clock, allowed } = counting('token:1');
    expect(allowed(3, 5)).toBe(3);
    clock.now += MINUTE - 1;
    expect(allowed(3, 5)).toBe(0);
    clock.now += 1;
    expect(allowed(3, 5)).toBe(3);
  });

  it('are free again after the announced seconds, which are rounded up and never 0', () => {
    const { clock, rateLimiter, allowed } = counting('token:1');
    expect(rateLimiter.take('token:1', 5).seconds).toBe(60);
    clock.now += 58_500;
    expect(rateLimiter.take('token:1', 5).seconds).toBe(2);
    clock.now += 1_499;
    expect(rateLimiter.take('token:1', 5).seconds).toBe(1);
    expect(allowed(5, 9)).toBe(2);
  });

  it('leave the points of another subject unchanged', () => {
    const { rateLimiter, allowed } = counting('token:1');
    expect(allowed(3, 5)).toBe(3);
    expect(rateLimiter.take('token:2', 3)).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('may be charged beyond the limit', () => {
    const { rateLimiter, allowed } = counting('address:192.0.2.1');
    rateLimiter.charge('address:192.0.2.1', 19);
    expect(allowed(20, 5)).toBe(1);
    rateLimiter.charge('address:192.0.2.1', 100);
    expect(rateLimiter.take('address:192.0.2.1', 20)).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('are no more after a refusal, which spends nothing', () => {
    const { rateLimiter, allowed } = counting('token:1');
    allowed(3, 100);
    expect(rateLimiter.unshared().map(({ points }) => points)).toEqual([3]);
  });

  it('are forgotten when too many others spend: memory has an end', () => {
    const { rateLimiter, allowed } = counting('token:1');
    expect(allowed(1, 2)).toBe(1);
    for (let id = 2; id < 12; id += 1) rateLimiter.take(`token:${id}`, 1);
    expect(rateLimiter.unshared()).toHaveLength(10);
    expect(allowed(1, 2)).toBe(1);
  });

  it('are free again at another second for each subject', () => {
    const rateLimiter = createRateLimiter(() => 0);
    const seconds = Array.from({ length: 60 }, (_, id) => rateLimiter.take(`token:${id}`, 1).seconds);
    expect(new Set(seconds).size).toBeGreaterThan(20);
  });

  it('lie in no window older than the current one', () => {
    const rateLimiter = createRateLimiter(() => 10 * MINUTE + 30_000);
    for (let id = 0; id < 100; id += 1) rateLimiter.take(`token:${id}`, 1);
    const windows = new Set(rateLimiter.unshared().map(({ window_number }) => window_number));
    expect(windows).toEqual(new Set([10, 11]));
    expect(windowNumber(10 * MINUTE + 30_000)).toBe(10);
  });
});

describe('two servers', () => {
  it('refuse as one after each exchange', () => {
    const add = pooled();
    const [one, two] = [counting('token:1'), counting('token:1')];
    expect([one.allowed(10, 6), two.allowed(10, 3)]).toEqual([6, 3]);
    for (const { rateLimiter } of [one, two, one]) {
      const spent = rateLimiter.unshared();
      rateLimiter.merge(spent, add(spent));
    }
    // 9 of 10 are gone; the second server knows, and the first does once it exchanges anything.
    expect(two.allowed(10, 5)).toBe(1);
  });

  it('lose nothing that is spent while they exchange', () => {
    const { rateLimiter, allowed } = counting('token:1');
    allowed(10, 2);
    const spent = rateLimiter.unshared();
    allowed(10, 3);
    // Another server has spent 4: 2 + 4 are told, and 3 are new.
    rateLimiter.merge(
      spent,
      spent.map((each) => ({ ...each, points: 6 })),
    );
    expect(rateLimiter.unshared().map(({ points }) => points)).toEqual([3]);
    expect(allowed(10, 9)).toBe(1);
  });

  it('forget an answer about a window that has ended', () => {
    const { clock, rateLimiter, allowed } = counting('token:1');
    allowed(10, 5);
    const spent = rateLimiter.unshared();
    clock.now += MINUTE;
    allowed(10, 1);
    rateLimiter.merge(
      spent,
      spent.map((each) => ({ ...each, points: 500 })),
    );
    expect(allowed(10, 20)).toBe(9);
  });

  it('never allow more than the limit after an exchange, in any order of requests and exchanges', () => {
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
            const spent = server.rateLimiter.unshared();
            server.rateLimiter.merge(spent, add(spent));
          } else if (server.rateLimiter.take('token:1', limit).allowed) spentByAll += 1;
        }
        // Three servers that never met let pass the limit each, and no more.
        expect(spentByAll).toBeLessThanOrEqual(3 * limit);
        // Each tells, with a point that says nothing by itself, and so hears of the others.
        for (const { rateLimiter } of [...servers, ...servers]) {
          rateLimiter.charge('token:1', 1);
          const spent = rateLimiter.unshared();
          rateLimiter.merge(spent, add(spent));
        }
        const last = servers.map(({ rateLimiter }) => rateLimiter.take('token:1', limit).allowed);
        expect(last.includes(true) && spentByAll >= limit).toBe(false);
      }),
    );
  });
});
