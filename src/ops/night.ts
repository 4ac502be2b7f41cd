/** Nights: the UTC days on which the schedule builds every account once. */
import { createTask, parse } from 'node-cron';

export interface Night {
  /** The UTC day it fell due, `YYYY-MM-DD`: the `night` of what is published for it. */
  readonly day: string;
  /** When it fell due, in milliseconds since 1970. */
  readonly due_ms: number;
}

const DAY_MS = 86_400_000;
/** A schedule that names 29 February falls due every fourth year, or every eighth around 2100. */
const FARTHEST_DAYS = 366 * 8;

/** The last night that fell due by then, milliseconds since 1970; null when it names no day of the last years. */
export function nightDue(schedule: string, now_ms: number): Night | null {
  const times = timesOfDay(schedule);
  const task = createTask(schedule, () => undefined, { timezone: 'UTC' });
  try {
    const today = Math.floor(now_ms / DAY_MS) * DAY_MS;
    for (let back = 0; back <= FARTHEST_DAYS; back += 1) {
      const midnight = today - back * DAY_MS;
      // Whether a day is of the schedule does not depend on the time: the last one that has come stands for all.
      const time = times.find((each) => midnight + each <= now_ms);
      if (time === undefined || !task.match(new Date(midnight + time))) continue;
      // Of several times a day the first counts: a night falls due once.
      const due_ms = midnight + (times.at(-1) ?? 0);
      return { day: new Date(midnight).toISOString().slice(0, 10), due_ms };
    }
    return null;
  } finally {
    void task.destroy();
  }
}

/** The times of day that the schedule names, in milliseconds after midnight, the last one first. */
function timesOfDay(schedule: string): readonly number[] {
  const { hour, minute, second } = parse(schedule);
  return hour
    .flatMap((h) => minute.flatMap((m) => second.map((s) => ((h * 60 + m) * 60 + s) * 1000)))
    .toSorted((a, b) => b - a);
}
