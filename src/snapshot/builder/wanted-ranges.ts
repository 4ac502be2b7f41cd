/** How many ranges the long tables of a build are cut into. */
import type { PublishLog } from '../format/publish-log.ts';
import type { BuildJob } from './build-start.ts';
import type { BuildTools } from './build-tools.ts';
import { newestManifest, rowsOf } from './shrunk-tables.ts';

/** A smaller account is not cut: its tables take a minute or two. */
const MANY_ROWS = 1_000_000;

/** The ranges that the build was asked for; if it was not, those of an account whose newest snapshot has many rows. */
export async function wantedRanges(
  { ranges, cut_long = 1 }: Pick<BuildJob, 'ranges' | 'cut_long'>,
  known: PublishLog,
  tools: Pick<BuildTools, 'store' | 'clock'>,
): Promise<number> {
  if (ranges !== undefined || cut_long === 1) return ranges ?? 1;
  const before = rowsOf(await newestManifest(known, tools));
  const rows = [...before.values()].reduce((sum, each) => sum + each, 0);
  return rows > MANY_ROWS ? cut_long : 1;
}
