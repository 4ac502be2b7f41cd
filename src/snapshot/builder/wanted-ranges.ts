/** How many ranges the long tables of a build are cut into. */
import type { Manifest } from '../format/manifest.ts';
import type { BuildJob } from './build-start.ts';
import { rowsOf } from './shrunk-tables.ts';

/** A smaller account is not cut: its tables take a minute or two. */
const MANY_ROWS = 1_000_000;

/** The ranges that the build was asked for; if it was not, those of an account whose newest snapshot has many rows. */
export function wantedRanges(
  { ranges, cut_long = 1 }: Pick<BuildJob, 'ranges' | 'cut_long'>,
  newest: Manifest | null,
): number {
  if (ranges !== undefined || cut_long === 1) return ranges ?? 1;
  const rows = [...rowsOf(newest).values()].reduce((sum, each) => sum + each, 0);
  return rows > MANY_ROWS ? cut_long : 1;
}
