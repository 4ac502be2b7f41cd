import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jitterMs } from '../../src/ops/jitter.ts';
import { nightJobId, rebuildJobId } from '../../src/ops/job-id.ts';
import { nightAfter, nightDue } from '../../src/ops/night.ts';
import { useZone, ZONES } from '../support/zones.ts';

const at = (text: string): number => Date.parse(text);

describe.each(ZONES)('on a host in %s', (zone, offset) => {
  useZone(zone, offset);

  describe('the night that is due', () => {
    it.each([
      // At two every day: until then it is still the night before.
      ['0 2 * * *', '2026-07-15T01:59:59.999Z', '2026-07-14', '2026-07-14T02:00:00Z'],
      ['0 2 * * *', '2026-07-15T02:00:00.000Z', '2026-07-15', '2026-07-15T02:00:00Z'],
      ['0 2 * * *', '2026-07-15T23:59:59.999Z', '2026-07-15', '2026-07-15T02:00:00Z'],
      ['0 2 * * *', '2027-01-01T00:30:00.000Z', '2026-12-31', '2026-12-31T02:00:00Z'],
      ['30 0 2 * * *', '2026-07-15T02:00:29.999Z', '2026-07-14', '2026-07-14T02:00:30Z'],
      // Every six hours: one night a day, from the first time on.
      ['30 */6 * * *', '2026-07-15T00:29:00.000Z', '2026-07-14', '2026-07-14T00:30:00Z'],
      ['30 */6 * * *', '2026-07-15T00:31:00.000Z', '2026-07-15', '2026-07-15T00:30:00Z'],
      ['30 */6 * * *', '2026-07-15T19:00:00.000Z', '2026-07-15', '2026-07-15T00:30:00Z'],
      // On Sundays (12 July 2026 is one), asked on the Wednesday after.
      ['0 2 * * 0', '2026-07-15T12:00:00.000Z', '2026-07-12', '2026-07-12T02:00:00Z'],
      ['0 2 * * SUN', '2026-07-12T01:00:00.000Z', '2026-07-05', '2026-07-05T02:00:00Z'],
      // On the first of the month, and on a day that only leap years have.
      ['0 3 1 * *', '2026-07-15T12:00:00.000Z', '2026-07-01', '2026-07-01T03:00:00Z'],
      ['0 3 29 2 *', '2026-07-15T12:00:00.000Z', '2024-02-29', '2024-02-29T03:00:00Z'],
      // 2100 is no leap year: the day before 29 February 2104 is eight years after the last one.
      ['0 3 29 2 *', '2104-02-28T12:00:00.000Z', '2096-02-29', '2096-02-29T03:00:00Z'],
    ])('of "%s" at %s is that of %s', (schedule, now, day, due) => {
      expect(nightDue(schedule, at(now))).toEqual({ day, due_ms: at(due) });
    });

    it('does not exist where no day has been of the schedule for eight years', () => {
      // A Monday that is a 29 February: that of 2024 was a Thursday, that of 2020 a Saturday.
      expect(nightDue('0 2 29 2 1', at('2026-07-15T12:00:00Z'))).toBeNull();
    });

    it('is followed by the next one, which has not come yet', () => {
      const after = (schedule: string, now: string) => nightAfter(schedule, at(now));
      expect(after('0 2 * * *', '2026-07-15T01:59:59.999Z')).toEqual({
        day: '2026-07-15',
        due_ms: at('2026-07-15T02:00:00Z'),
      });
      expect(after('0 2 * * *', '2026-07-15T02:00:00.000Z')?.day).toBe('2026-07-16');
      // With several times a day the night begins at the first; 18 July 2026 is a Saturday.
      expect(after('30 3,15 * * 6', '2026-07-18T04:00:00.000Z')?.due_ms).toBe(at('2026-07-25T03:30:00Z'));
      expect(after('0 2 29 2 1', '2026-07-15T12:00:00Z')).toBeNull();
    });

    it('has come, and no other of a daily schedule has come since', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 23 }),
          fc.integer({ min: 0, max: 59 }),
          fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z') }),
          (hour, minute, now) => {
            const due_ms = nightDue(`${minute} ${hour} * * *`, now)?.due_ms ?? 0;
            expect(due_ms).toBeLessThanOrEqual(now);
            expect(due_ms).toBeGreaterThan(now - 86_400_000);
            expect(due_ms % 86_400_000).toBe((hour * 60 + minute) * 60_000);
          },
        ),
      );
    });
  });

  it('the night that is due is the same in a process that was started in that zone', async () => {
    const module = new URL('../../src/ops/night.ts', import.meta.url).href;
    const program = `import { nightDue } from ${JSON.stringify(module)};
      console.log(JSON.stringify(nightDue('0 2 * * 0', ${at('2026-07-15T12:00:00Z')})));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { TZ: zone },
    });
    expect(JSON.parse(stdout)).toEqual({ day: '2026-07-12', due_ms: at('2026-07-12T02:00:00Z') });
  });

  const accounts = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n });

  describe('the jitter of an account', () => {
    it('never leaves its bound, and is the same every night', () => {
      fc.assert(
        fc.property(accounts, fc.integer({ min: 0, max: 3_600_000 }), (account, bound) => {
          const jitter = jitterMs(account, bound);
          expect(Number.isInteger(jitter)).toBe(true);
          expect(jitter).toBeGreaterThanOrEqual(0);
          expect(jitter).toBeLessThan(Math.max(bound, 1));
          expect(jitterMs(account, bound)).toBe(jitter);
        }),
      );
    });

    it('spreads a thousand accounts over the whole interval', () => {
      const minutes = new Set(
        Array.from({ length: 1_000 }, (_, n) => (jitterMs(BigInt(n + 1), 300_000) / 60_000) | 0),
      );
      expect(minutes).toEqual(new Set([0, 1, 2, 3, 4]));
    });
  });

  describe('the id of a queued build', () => {
    const days = fc
      .integer({ min: 0, max: 40_000 })
      .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

    it('is a UUID, the same for the same account and night and no other', () => {
      fc.assert(
        fc.property(accounts, accounts, days, days, (one, other, day, otherDay) => {
          expect(nightJobId(one, day)).toMatch(
            /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
          );
          expect(nightJobId(one, day) === nightJobId(other, otherDay)).toBe(
            one === other && day === otherDay,
          );
          expect(rebuildJobId(one) === rebuildJobId(other)).toBe(one === other);
          expect(rebuildJobId(one)).not.toBe(nightJobId(one, day));
        }),
      );
    });
  });
});
