/** What was used of the AI bills of a snapshot, added up by month, currency, model, unit and class of cost. */
import { Cache } from '../../cache.ts';
import { addUsage, type UsageSum } from '../../figures/usage.ts';
import { storedTableNamed } from '../../snapshot/format/manifest.ts';
import { COMPANIONS } from '../../tables/companions.ts';
import { frozenRows, type SnapshotFiles } from './snapshot-files.ts';

const COLUMNS = [
  'month',
  'currency',
  'model',
  'unit',
  'recorded',
  'is_ai',
  'cost_class',
  'quantity',
  'billed_cost',
  'cost_cents',
  'list_cost',
  'priced_cost',
] as const;
const { ai_usage, usage_sums } = COMPANIONS;

/** A sum is an object of thirteen values. */
const SUM_BYTES = 768;

/** Keeps the sums that people or assistants ask for, by the digest of their file. */
export function createUsage(max_bytes: number) {
  const cache = new Cache<string, readonly UsageSum[] | null>({
    max_bytes,
    bytesOf: (sums) => SUM_BYTES * (1 + (sums?.length ?? 0)),
  });
  return async (files: SnapshotFiles): Promise<readonly UsageSum[] | null> => {
    const file = storedTableNamed(files.snapshot, ai_usage.name);
    return file === undefined ? null : await cache.get(file.sha256, () => frozenUsage(files));
  };
}

/** The sums; null if the snapshot has no rows of usage. */
async function frozenUsage(files: SnapshotFiles): Promise<readonly UsageSum[] | null> {
  if (storedTableNamed(files.snapshot, ai_usage.name) === undefined) return null;
  const sums = new Map<string, UsageSum>();
  if (storedTableNamed(files.snapshot, usage_sums.name) !== undefined) {
    for await (const row of frozenRows(await files.companion('usage_sums'), [...COLUMNS, 'partial']))
      if (row.is_ai) addUsage(sums, row);
    return [...sums.values()];
  }
  // A snapshot of an older version has the rows alone.
  for await (const row of frozenRows(await files.companion('ai_usage'), COLUMNS))
    if (row.is_ai) addUsage(sums, row);
  return [...sums.values()];
}
