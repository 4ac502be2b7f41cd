/** The rows of `ai_spend` of a snapshot, for sums by month and by biller. */
import { type AiBiller, nameBillers } from '../../figures/ai-spend.ts';
import { readConnections } from '../../snapshot/read/connections.ts';
import { companionIfAny, type FrozenRow, frozenRows, type SnapshotFiles } from './snapshot-files.ts';

const COLUMNS = [
  'month',
  'source_kind',
  'connection_id',
  'platform',
  'connection_name',
  'vendor_name',
  'billed_cents',
  'booked_cents',
  'ai_billed_cents',
  'ai_booked_cents',
] as const;

/** A row of `ai_spend` with the name of who billed it. */
export type AiSpendRow = FrozenRow<'ai_spend', typeof COLUMNS> & AiBiller;

/** All rows of `ai_spend` in a snapshot. */
export async function aiSpendRows(files: SnapshotFiles): Promise<readonly AiSpendRow[]> {
  const rows = await Array.fromAsync(frozenRows(await files.table('ai_spend'), COLUMNS));
  const connections = await readConnections(await companionIfAny(files, 'integrations'));
  return nameBillers(rows, connections);
}
