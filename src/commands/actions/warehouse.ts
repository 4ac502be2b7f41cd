/** The action of `crossfoot warehouse --compare`: makes the query from the digests that are stored with a snapshot. */
import { CrossfootError } from '../../errors.ts';
import { decodeDigests, DIGESTS_FILE } from '../../snapshot/format/stored-digests.ts';
import type { Dialect } from '../../tables/dialects.ts';
import { compareSql } from '../../warehouse/compare-digests.ts';
import { openChosenSnapshot } from '../terminal/chosen-snapshot.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';

/**
 * The query that compares the tables of a warehouse with a snapshot; `id` may be `latest`. Throws for an old
 * snapshot, which has no stored digests.
 */
export async function comparingSql(
  {
    account,
    id,
    dialect,
    schema,
  }: {
    readonly account: bigint;
    readonly id: string;
    readonly dialect: Dialect;
    readonly schema: string | undefined;
  },
  context: CommandContext,
): Promise<string> {
  const { reader, snapshot } = await openChosenSnapshot(openSettings(context).settings, account, id);
  if (!snapshot.files.some(({ name }) => name === DIGESTS_FILE)) {
    throw new CrossfootError(
      'not_found',
      `Snapshot ${snapshot.snapshot_id} was built before digests were stored.`,
    );
  }
  const bytes = await reader.readFile(account, snapshot.snapshot_id, DIGESTS_FILE);
  return compareSql(decodeDigests(bytes), dialect, schema);
}
