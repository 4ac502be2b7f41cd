/** The night of an instant by the schedule of the settings. The instant must come from the database's clock. */
import type { Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';
import { type Night, nightDue } from '../ops/night.ts';

const MICROSECONDS_PER_MILLISECOND = 1_000n;

/** The last night that was due at an instant, in microseconds since 1970; a build at that instant is for this night. */
export function nightAt({ schedule }: Pick<Settings, 'schedule'>, microseconds: bigint): Night {
  const night = nightDue(schedule, Number(microseconds / MICROSECONDS_PER_MILLISECOND));
  if (night !== null) return night;
  throw new CrossfootError('settings_invalid', `SCHEDULE has not fallen due for years, found ${schedule}.`, {
    hint: 'Five fields: minute, hour, day of the month, month, day of the week, in UTC.',
  });
}
