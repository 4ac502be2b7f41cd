import { listDifference } from '../../figures/usage.ts';
import { listAiUsage } from '../../ledger/lists/ai-usage.ts';
import { AI_USAGE } from '../../tables/records/ai_usage.ts';
import { initiative_id, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';

/** Models, quantities and costs of bills, by day. */
export const ai_usage = defineResource(AI_USAGE, {
  sentence: 'Models, quantities and costs of bills, by day.',
  filters: { updated_since, initiative_id },
  read: listAiUsage,
  compute: (used) => ({ list_difference: listDifference(used) }),
});
