/**
 * The query parameters of the overview: the snapshot to show, and the figure and window by which initiatives are
 * ranked.
 */
import { CrossfootError } from '../../errors.ts';
import { type Rank, RANKS } from './ranking.ts';

export interface OverviewQuery {
  /** The id of a snapshot; the newest if null. */
  readonly snapshot: string | null;
  readonly by: Rank;
  /** The window that the initiatives are ranked in: the fiscal year of the snapshot's day, or all time. */
  readonly window: 'year' | 'all';
}

/** Reads the parameters; refuses a value that is not one of those listed. */
export function readOverviewQuery(given: Readonly<Record<string, string>>): OverviewQuery {
  const { snapshot = null, by = 'net', window = 'all' } = given;
  const rank = (Object.keys(RANKS) as Rank[]).find((each) => each === by); // the keys of a constant
  if (rank === undefined) throw refused('by', Object.keys(RANKS));
  if (window !== 'year' && window !== 'all') throw refused('window', ['year', 'all']);
  return { snapshot, by: rank, window };
}

function refused(name: string, allowed: readonly string[]): CrossfootError {
  return new CrossfootError(
    'parameter_refused',
    `The parameter ${name} must be one of ${allowed.join(', ')}.`,
  );
}
