/** Time zones in which the tests of days, nights and schedules run: nothing may come of the zone of the host. */
import { afterAll, beforeAll, expect } from 'vitest';

/** Each with its offset from UTC on 15 July 2026, in minutes as `Date` has it: east of UTC is negative. */
export const ZONES = [
  ['UTC', 0],
  ['Pacific/Auckland', -720],
  ['America/Los_Angeles', 420],
] as const;

/** Runs the tests of this suite as on a host of that zone. */
export function useZone(zone: string, offset: number): void {
  const before = process.env['TZ'];
  beforeAll(() => {
    process.env['TZ'] = zone;
    // Otherwise the zone was not taken over, and the tests would show nothing.
    expect(new Date('2026-07-15T00:00:00Z').getTimezoneOffset()).toBe(offset);
  });
  afterAll(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
}
