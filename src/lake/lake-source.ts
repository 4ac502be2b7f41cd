/** Reads the files of an account's snapshots through the reader, which checks every byte. */
import { CrossfootError } from '../errors.ts';
import { footerNumbers } from '../parquet/footer-numbers.ts';
import { openFile, type ParquetSource } from '../parquet/open-file.ts';
import type { SnapshotReader } from '../snapshot/read/snapshot-reader.ts';
import type { LakeSource } from './gather-lake.ts';

/** The source of one account. */
export function lakeSource(
  account_id: bigint,
  snapshots: Pick<SnapshotReader, 'openTable' | 'pinned' | 'readFile'>,
): LakeSource {
  const manifest: LakeSource['manifest'] = async ({ snapshot_id }) => {
    const found = await snapshots.pinned(account_id, snapshot_id);
    if (found !== null) return found;
    throw new CrossfootError('not_found', `There is no snapshot ${snapshot_id} in this account.`);
  };
  return {
    manifest,
    file: ({ snapshot_id }, name) => snapshots.readFile(account_id, snapshot_id, name),
    async footer(entry, name) {
      const table = (await manifest(entry)).tables.find((each) => each.name === name);
      const read: ParquetSource['read'] = async (from, to) => {
        const range = { from, to };
        const bytes = await snapshots.openTable(account_id, entry.snapshot_id, name, range);
        return bytes instanceof Uint8Array ? bytes : new Uint8Array(await new Response(bytes).arrayBuffer());
      };
      return footerNumbers(await openFile({ size_bytes: table?.size_bytes ?? 0, read }));
    },
  };
}
