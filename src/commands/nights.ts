/** The night of this very moment, by the schedule of the settings. */
import type { Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';
import { type Night, nightDue } from '../ops/night.ts';

/** The last night that fell due: what a build at this moment is for. */
export function currentNight({ schedule }: Pick<Settings, 'schedule'>): Night {
  const night = nightDue(schedule, Date.now());
  if (night !== null) return night;
  throw new CrossfootError('settings_invalid', `SCHEDULE has not fallen due for years, found ${schedule}.`, {
    hint: 'Five fields: minute, hour, day of the month, month, day of the week, in UTC.',
  });
}
