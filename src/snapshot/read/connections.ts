/** What a snapshot says of the connections of its account, for the names of those who billed. */
import type { KnownConnection } from '../../figures/ai-spend.ts';
import type { COMPANIONS } from '../../tables/companions.ts';
import { cellAt, type RowsOf } from './rows.ts';

const NAMES = ['id', 'external_account_id', 'external_account_name'] as const;

/** The connections by id; none if the snapshot has no rows of them. Only newer snapshots have the names of platforms. */
export async function readConnections(
  rows: RowsOf<(typeof COMPANIONS)['integrations']> | null,
): Promise<ReadonlyMap<bigint, KnownConnection>> {
  const known = new Map<bigint, KnownConnection>();
  if (rows === null) return known;
  const hasPlatforms = rows.columns.some(({ name }) => name === 'platform_name');
  const names = hasPlatforms ? ([...NAMES, 'platform_name'] as const) : NAMES;
  for await (const { columns } of rows.read(names)) {
    const [ids, accounts, account_names, platforms] = columns;
    for (const [row, id] of ids.entries()) {
      known.set(id, {
        platform_name: platforms === undefined ? null : cellAt(platforms, row),
        external_account_id: cellAt(accounts, row),
        external_account_name: cellAt(account_names, row),
      });
    }
  }
  return known;
}
