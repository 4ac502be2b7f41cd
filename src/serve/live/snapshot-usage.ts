/** What was used of the AI bills of a snapshot, added up by month, currency, model, unit and class of cost. */
import { Cache } from '../../cache.ts';
import { addUsage, type UsageSum } from '../../figures/usage.ts';
import { storedTableNamed } from '../../snapshot/format/manifest.ts';
import { COMPANIONS } from '../../tables/companions.ts';
import { companionIfAny, frozenRows, type SnapshotFiles } from './snapshot-files.ts';

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

/** A sum is an object of thirteen values. */
const SUM_BYTES = 768;

/** Keeps the sums that people or assistants ask for, by the digest of their file; null if the snapshot has no rows of usage. */
export function createUsage(max_bytes: number) {
  const cache = new Cache<string, readonly UsageSum[]>({
    max_bytes,
    bytesOf: (sums) => SUM_BYTES * (1 + sums.length),
  });
  return async (files: SnapshotFiles): Promise<readonly UsageSum[] | null> => {
    const file = storedTableNamed(files.snapshot, COMPANIONS.ai_usage.name);
    return file === undefined ? null : await cache.get(file.sha256, () => frozenUsage(files));
  };
}

async function frozenUsage(files: SnapshotFiles): Promise<readonly UsageSum[]> {
  const stored = await companionIfAny(files, 'usage_sums');
  const rows =
    stored === null
      ? frozenRows(await files.companion('ai_usage'), COLUMNS) // a snapshot of an older version has the rows alone
      : frozenRows(stored, [...COLUMNS, 'partial']);
  const sums = new Map<string, UsageSum>();
  for await (const row of rows) if (row.is_ai) addUsage(sums, row);
  return [...sums.values()];
}
