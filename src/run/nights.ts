/** The night of an instant by the schedule of the settings. The instant must come from the database's clock. */
import type { Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';
import { type Night, nightDue } from '../ops/night.ts';
import { type Instant, toMs } from '../instant.ts';

/** The last night that was due at an instant; a build at that instant is for this night. */
export function nightAt({ schedule }: Pick<Settings, 'schedule'>, microseconds: Instant): Night {
  const night = nightDue(schedule, toMs(microseconds));
  if (night !== null) return night;
  throw new CrossfootError('settings_invalid', `SCHEDULE has not fallen due for years, found ${schedule}.`, {
    hint: 'Five fields: minute, hour, day of the month, month, day of the week, in UTC.',
  });
}
