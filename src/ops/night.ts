/** Computes which night is due by the schedule. A night is a UTC day for which every account is built once. */
import { createTask, parse } from 'node-cron';
import { DAY, toMs } from '../instant.ts';

export interface Night {
  /** The UTC day on which it fell due, `YYYY-MM-DD`: the `night` of its snapshots. */
  readonly day: string;
  /** When it fell due, in milliseconds since 1970. */
  readonly due_ms: number;
}

/**
 * How many days the search goes back or ahead. A schedule for 29 February falls due every fourth year, or after eight years
 * around 2100.
 */
const FARTHEST_DAYS = 366 * 8;
const DAY_MS = toMs(DAY);

/**
 * The last night due at `now_ms`, milliseconds since 1970; null if the schedule fell due on no day of the last eight
 * years.
 */
export function nightDue(schedule: string, now_ms: number): Night | null {
  const times = timesOfDay(schedule);
  const today = Math.floor(now_ms / DAY_MS) * DAY_MS;
  return searchDays(schedule, (back, matches) => {
    const midnight = today - back * DAY_MS;
    // The date fields match a whole day or not at all, so test one past time of each day.
    const time = times.find((each) => midnight + each <= now_ms);
    if (time === undefined || !matches(midnight + time)) return null;
    // A day is one night, even if the schedule has several times: it is due at the earliest. `times` is latest first.
    return nightAt(midnight + (times.at(-1) ?? 0));
  });
}

/** The next night after `now_ms`, milliseconds since 1970; null if the schedule falls due on no day of the next eight years. */
export function nightAfter(schedule: string, now_ms: number): Night | null {
  const first = timesOfDay(schedule).at(-1) ?? 0;
  const today = Math.floor(now_ms / DAY_MS) * DAY_MS;
  return searchDays(schedule, (ahead, matches) => {
    const due_ms = today + ahead * DAY_MS + first;
    return due_ms > now_ms && matches(due_ms) ? nightAt(due_ms) : null;
  });
}

function nightAt(due_ms: number): Night {
  return { day: new Date(due_ms).toISOString().slice(0, 10), due_ms };
}

/** The first night that `find` returns for a distance in days; null if there is none up to the farthest day. */
function searchDays(
  schedule: string,
  find: (days: number, matches: (time_ms: number) => boolean) => Night | null,
): Night | null {
  const task = createTask(schedule, () => undefined, { timezone: 'UTC' });
  try {
    for (let days = 0; days <= FARTHEST_DAYS; days += 1) {
      const night = find(days, (time_ms) => task.match(new Date(time_ms)));
      if (night !== null) return night;
    }
    return null;
  } finally {
    void task.destroy();
  }
}

/** The times of day of the schedule, in milliseconds after midnight, latest first. */
function timesOfDay(schedule: string): readonly number[] {
  const { hour, minute, second } = parse(schedule);
  return hour
    .flatMap((h) => minute.flatMap((m) => second.map((s) => ((h * 60 + m) * 60 + s) * 1000)))
    .toSorted((a, b) => b - a);
}
