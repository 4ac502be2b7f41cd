/** What was used of the AI bills of a snapshot, added up by month, currency, model and unit. */
import { addUsage, type UsageSum } from '../../figures/usage.ts';
import { COMPANIONS } from '../../tables/companions.ts';
import { frozenRows, type SnapshotFiles } from './snapshot-files.ts';

const COLUMNS = [
  'month',
  'currency',
  'model',
  'unit',
  'recorded',
  'is_ai',
  'quantity',
  'billed_cost',
  'cost_cents',
] as const;

/** The sums; null if the snapshot has no rows of usage. */
export async function frozenUsage(files: SnapshotFiles): Promise<readonly UsageSum[] | null> {
  const { name } = COMPANIONS.ai_usage;
  if (files.snapshot.companions?.tables.some((table) => table.name === name) !== true) return null;
  const sums = new Map<string, UsageSum>();
  for await (const row of frozenRows(await files.companion('ai_usage'), COLUMNS)) {
    if (row.is_ai) addUsage(sums, row);
  }
  return [...sums.values()];
}
