/** The rule of names over the snapshots of a test's reader. */
import { isSnapshotId, meansNewest } from '../../src/snapshot/format/snapshot-id.ts';
import type { SnapshotReader } from '../../src/snapshot/read/snapshot-reader.ts';

type Named = SnapshotReader['named'];

/** Asks each method of the reader for what it is there for, as the reader of a store does. */
export function namedIn(reader: Pick<SnapshotReader, 'latest' | 'list' | 'pinned'>): Named {
  return async (account_id, name) => {
    if (meansNewest(name)) return await reader.latest(account_id);
    if (isSnapshotId(name)) return await reader.pinned(account_id, name);
    const listed = await reader.list(account_id);
    return listed.find(({ pins }) => pins.some((pin) => pin.name === name)) ?? null;
  };
}

/** Asks the list alone: a test changes nothing else. */
export function namedInList({ list }: Pick<SnapshotReader, 'list'>): Named {
  return async (account_id, name) => {
    const listed = await list(account_id);
    if (meansNewest(name)) return listed[0] ?? null;
    const own = listed.find(({ snapshot_id }) => snapshot_id === name);
    return own ?? listed.find(({ pins }) => pins.some((pin) => pin.name === name)) ?? null;
  };
}

/** The reader with the rule over its changed list. */
export function withNames<Reader extends Pick<SnapshotReader, 'list'>>(
  reader: Reader,
): Reader & Pick<SnapshotReader, 'named'> {
  return { ...reader, named: namedInList(reader) };
}
