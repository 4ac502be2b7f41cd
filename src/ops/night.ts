/** Computes which night the schedule makes due. A night is a UTC day on which every account is built once. */
import { createTask, parse } from 'node-cron';

export interface Night {
  /** The UTC day on which it fell due, `YYYY-MM-DD`: the `night` of its snapshots. */
  readonly day: string;
  /** When it fell due, in milliseconds since 1970. */
  readonly due_ms: number;
}

const DAY_MS = 86_400_000;
/**
 * The search goes back this many days. A schedule for 29 February falls due every fourth year, or after eight years
 * around 2100.
 */
const FARTHEST_DAYS = 366 * 8;

/**
 * The last night due at `now_ms`, milliseconds since 1970; null if the schedule fell due on no day of the last eight
 * years.
 */
export function nightDue(schedule: string, now_ms: number): Night | null {
  const times = timesOfDay(schedule);
  const task = createTask(schedule, () => undefined, { timezone: 'UTC' });
  try {
    const today = Math.floor(now_ms / DAY_MS) * DAY_MS;
    for (let back = 0; back <= FARTHEST_DAYS; back += 1) {
      const midnight = today - back * DAY_MS;
      // The date fields match a whole day or not at all, so test one past time of each day.
      const time = times.find((each) => midnight + each <= now_ms);
      if (time === undefined || !task.match(new Date(midnight + time))) continue;
      // If the schedule has several times a day, the night is due at the earliest (`times` is latest first).
      const due_ms = midnight + (times.at(-1) ?? 0);
      return { day: new Date(midnight).toISOString().slice(0, 10), due_ms };
    }
    return null;
  } finally {
    void task.destroy();
  }
}

/** The next night after `now_ms`, milliseconds since 1970; null if the schedule falls due on no day of the next eight years. */
export function nightAfter(schedule: string, now_ms: number): Night | null {
  const first = timesOfDay(schedule).at(-1) ?? 0;
  const task = createTask(schedule, () => undefined, { timezone: 'UTC' });
  try {
    const today = Math.floor(now_ms / DAY_MS) * DAY_MS;
    for (let ahead = 0; ahead <= FARTHEST_DAYS; ahead += 1) {
      const due_ms = today + ahead * DAY_MS + first;
      if (due_ms <= now_ms || !task.match(new Date(due_ms))) continue;
      return { day: new Date(due_ms).toISOString().slice(0, 10), due_ms };
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
