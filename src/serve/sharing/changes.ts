/**
 * The change feed of the sharing protocol: the changed rows of a table, version by version. They come from `src/diff`, which
 * compares the stored table of each version with that of the version before. The first version adds all its rows.
 */
import type { Context } from 'hono';
import type { Feeds } from '../../diff/feed-cache.ts';
import type { TablePair } from '../../diff/feed-file.ts';
import { REPORTING_SCHEMA } from '../../snapshot/format/pin-schema.ts';
import type { SnapshotVersion } from '../../snapshot/read/snapshot-version.ts';
import type { SharedTable } from '../../tables/file-sets.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { refusedParameter } from '../http/parameters.ts';
import { CHANGES, linkUrl, type LinksParts } from '../reporting/links.ts';
import type { SharedSchema } from './catalog.ts';
import { changedVersions, type ChangedVersion } from './change-range.ts';
import { openVersion, type ChosenVersion } from './chosen-version.ts';
import { linkLifetime } from './link-lifetime.ts';
import { fileFields } from './table-lines.ts';

export interface ChangesParts extends LinksParts {
  readonly feeds: Feeds;
}

/** The tables beside the 14 have no change feed; what to read in its place. */
const INSTEAD: Readonly<Record<string, string>> = {
  focus: 'Read the changes of costs, which has the same rows.',
  ai_usage: 'Read the whole table, of each version that you compare.',
};

/** True for a table with a change feed. */
export function hasChanges({ name }: SharedTable): boolean {
  return INSTEAD[name] === undefined;
}

interface Changes {
  /** The first version of the range. */
  readonly first: ChosenVersion;
  /** The last version: its columns describe all files. */
  readonly last: ChosenVersion;
  /** A line for each version in which a row changed. */
  readonly files: readonly ChangesFile[];
}

/** The rows of the first version, or the changes of a later one. */
interface ChangesFile {
  readonly add?: ReturnType<typeof fileFields>;
  readonly cdf?: ReturnType<typeof fileFields>;
}

/** The changes that the parameters of the request name. */
export async function readChanges(
  parts: ChangesParts,
  c: Context<ServeEnv>,
  { name, versions }: SharedSchema,
  table: SharedTable,
): Promise<Changes> {
  if (name !== REPORTING_SCHEMA) {
    throw refusedParameter(`Only the schema ${REPORTING_SCHEMA} has changes. A pin's schema skips versions.`);
  }
  if (!hasChanges(table)) throw refusedParameter(`${table.name} has no change feed. ${INSTEAD[table.name]}`);
  const range = await changedVersions(parts, c, versions, table.table);
  const open = (version: SnapshotVersion): Promise<ChosenVersion> =>
    openVersion(parts, c, versions, table, version);
  const files = await parts.feeds.walk(range, (changed) => fileOf(parts, c, table, changed, open));
  const last = range.at(-1) ?? range[0];
  return {
    first: await open(range[0].version),
    last: await open(last.version),
    files: files.filter((file) => file !== null),
  };
}

/** The file of a version's changes; null if no row changed. */
async function fileOf(
  parts: ChangesParts,
  c: Context<ServeEnv>,
  { name }: SharedTable,
  { version, before }: ChangedVersion,
  open: (version: SnapshotVersion) => Promise<ChosenVersion>,
): Promise<ChangesFile | null> {
  const chosen = await open(version);
  const { snapshot_id, tables } = chosen.snapshot;
  const address = (table: string, size_bytes: number) => {
    const expires_at = parts.now() + linkLifetime(size_bytes);
    return { url: linkUrl(parts, c, { snapshot_id, table, expires_at }), expires_at };
  };
  const stored = tables.find((each) => each.name === name);
  if (before === null) {
    return stored === undefined
      ? null
      : { add: fileFields(stored, chosen, address(name, stored.size_bytes)) };
  }
  const { snapshot: earlier } = await open(before);
  const pair: TablePair = {
    account_id: c.var.principal.account_id,
    table: name,
    earlier,
    later: chosen.snapshot,
  };
  const { rows, size_bytes, sha256 } = await parts.feeds.facts(pair);
  if (rows === 0) return null;
  return { cdf: fileFields({ sha256, size_bytes }, chosen, address(`${CHANGES}/${name}`, size_bytes)) };
}
