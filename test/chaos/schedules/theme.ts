/** What a schedule is about: when things go on, who is there, and how often what goes wrong. Drawn before it begins. */
import type { Chance } from '../chance.ts';
import type { Weather } from './scheduled-store.ts';

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
/** 2026-03-01T00:00:00Z: day 56 × 365 + 14 leap days + 59 = 20,513 since 1970. */
const MIDNIGHT = 20_513 * DAY;

export interface Theme {
  readonly begins_at: number;
  /** Moments that processes begin at, seconds or weeks apart. */
  readonly meetings: readonly number[];
  /** How many builders one meeting has. */
  readonly builders: readonly number[];
  /** How often, of one, a meeting has another of these. */
  readonly collectors: number;
  readonly readers: number;
  readonly markers: number;
  readonly scrubs: number;
  /** Snapshots that are weeks old when everything begins. */
  readonly veterans: number;
  /** How often, of one turn, a process stands still for long. */
  readonly pauses: { readonly builders: number; readonly others: number };
  readonly weather: Weather;
}

type Cast = Omit<Theme, 'begins_at' | 'meetings' | 'weather'> & {
  readonly gaps: readonly number[];
  readonly most_meetings: number;
};

const NONE = { builders: 0, others: 0 };

/** Builders of the same night run into each other. */
const RACE: Cast = {
  gaps: [20 * SECOND, 10 * 60 * SECOND, DAY],
  most_meetings: 2,
  builders: [2, 2, 3],
  collectors: 0.2,
  readers: 0.5,
  markers: 0,
  scrubs: 0.05,
  veterans: 0,
  pauses: { builders: 0.005, others: 0 },
};

/** Builders fall asleep, and the collector comes by before they wake up. */
const SLEEPERS: Cast = {
  gaps: [50 * HOUR, 3 * DAY],
  most_meetings: 3,
  builders: [0, 1, 1, 2],
  collectors: 0.7,
  readers: 0.1,
  markers: 0,
  scrubs: 0,
  veterans: 0,
  pauses: { builders: 0.06, others: 0.002 },
};

/** Old snapshots go, while some are pinned, read and scrubbed. */
const FAREWELL: Cast = {
  gaps: [5 * SECOND, DAY, 3 * DAY],
  most_meetings: 3,
  builders: [0, 0, 1],
  collectors: 0.7,
  readers: 0.3,
  markers: 0.6,
  scrubs: 0.3,
  veterans: 3,
  pauses: { builders: 0, others: 0.01 },
};

/** A bit of everything. */
const WEEKS: Cast = {
  gaps: [20 * SECOND, DAY, 3 * DAY, 15 * DAY, 17 * DAY],
  most_meetings: 4,
  builders: [1, 1, 2, 3],
  collectors: 0.5,
  readers: 0.25,
  markers: 0.2,
  scrubs: 0.1,
  veterans: 0,
  pauses: { builders: 0.01, others: 0.01 },
};

/** Draws what this schedule is about. */
export function drawTheme(chance: Chance): Theme {
  const { gaps, most_meetings, ...cast } = chance.oneOf([RACE, RACE, SLEEPERS, SLEEPERS, FAREWELL, WEEKS]);
  let at = MIDNIGHT + (cast.veterans > 0 ? 17 * DAY : 0);
  const meetings = Array.from({ length: 1 + chance.below(most_meetings) }, () => {
    at += chance.oneOf(gaps);
    return at;
  });
  const pauses = chance.happens(0.25) ? NONE : cast.pauses;
  return { ...cast, begins_at: MIDNIGHT, meetings, pauses, weather: drawWeather(chance) };
}

function drawWeather(chance: Chance): Weather {
  return {
    lost: chance.oneOf([0, 0.02, 0.1, 0.3]),
    refused: chance.oneOf([0, 0, 0.01]),
    death: chance.oneOf([0, 0.003, 0.01, 0.03]),
    stale: chance.oneOf([0, 0.3, 0.8]),
    torn: chance.oneOf([0, 0, 0, 0.1]),
  };
}
