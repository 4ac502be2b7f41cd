/** Finds the versions whose changes a request names, or refuses the request with the versions that it may name. */
import type { Context } from 'hono';
import type { SnapshotVersion } from '../../snapshot/read/snapshot-version.ts';
import type { Table } from '../../tables/table.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { refusedParameter } from '../http/parameters.ts';
import type { ReportingParts } from '../reporting/chosen-snapshot.ts';
import { isReadable, momentOf, newestAt, noVersion, oldestFrom } from './chosen-version.ts';

/** The maximum per request: each version may need a new comparison, and a year of versions would take too long. */
const MAX_VERSIONS = 100;
const INTEGER = /^\d{1,15}$/;

/** A version and the one before it; null before the first, whose rows are all new. */
export interface ChangedVersion {
  readonly version: SnapshotVersion;
  readonly before: SnapshotVersion | null;
}

/** The versions that the parameters name, oldest first; `versions` are all entries of the log. */
export async function changedVersions(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  versions: readonly SnapshotVersion[],
  table: Table,
): Promise<readonly [ChangedVersion, ...ChangedVersion[]]> {
  const { startingVersion, startingTimestamp, endingVersion, endingTimestamp } = c.req.query();
  if ((startingVersion === undefined) === (startingTimestamp === undefined)) {
    throw refusedParameter('Name startingVersion or startingTimestamp, and not both.');
  }
  if (endingVersion !== undefined && endingTimestamp !== undefined) {
    throw refusedParameter('Name endingVersion or endingTimestamp, not both.');
  }
  const numbered = async (name: string, text: string | undefined): Promise<SnapshotVersion> => {
    const version = INTEGER.test(text ?? '') ? versions[Number(text) - 1] : undefined;
    if (version !== undefined) return version;
    const words = `${name} must be a version, from 1 to ${versions.length}, found ${JSON.stringify(text)}.`;
    throw await noVersion(parts, c, versions, words);
  };
  const start =
    startingTimestamp === undefined
      ? await numbered('startingVersion', startingVersion)
      : await oldestFrom(parts, c, versions, momentOf(startingTimestamp));
  const end =
    endingTimestamp !== undefined
      ? await newestAt(parts, c, versions, momentOf(endingTimestamp))
      : endingVersion === undefined
        ? versions.at(-1)
        : await numbered('endingVersion', endingVersion);
  if (start === undefined || end === undefined || start.seq > end.seq) {
    const words = `No version lies between the start and the end. The newest is ${versions.at(-1)?.seq}.`;
    throw await noVersion(parts, c, versions, words);
  }
  const lowest = lowestChanged(versions, table, end);
  if (start.seq < lowest) {
    const from =
      lowest > end.seq
        ? `The changes up to version ${end.seq} of ${table.name} cannot be read`
        : `The changes of ${table.name} can be read from version ${lowest}`;
    throw refusedParameter(
      `${from}: each version is compared with the version before it, and both must be kept.`,
    );
  }
  if (end.seq - start.seq >= MAX_VERSIONS) {
    const last = start.seq + MAX_VERSIONS - 1;
    throw refusedParameter(
      `One request reads ${MAX_VERSIONS} versions at most. Name endingVersion ${last} or less.`,
    );
  }
  const pairOf = (version: SnapshotVersion): ChangedVersion => {
    return { version, before: versions[version.seq - 2] ?? null };
  };
  return [pairOf(start), ...versions.slice(start.seq, end.seq).map(pairOf)];
}

/** The lowest version from which every version up to the end, and the version before each, can be read. */
function lowestChanged(
  versions: readonly SnapshotVersion[],
  table: Table,
  { seq: end }: SnapshotVersion,
): number {
  const kept = (seq: number): boolean => {
    const version = versions[seq - 1];
    return version === undefined || isReadable(version, table); // the first version has no version before it
  };
  let lowest = end + 1;
  while (lowest > 1 && kept(lowest - 1) && kept(lowest - 2)) lowest -= 1;
  return lowest;
}
