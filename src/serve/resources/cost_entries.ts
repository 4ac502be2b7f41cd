import { listCostEntries } from '../../ledger/lists/cost-entries.ts';
import { COST_ENTRY } from '../../tables/records/cost_entry.ts';
import { include_sample, initiative_id, period_from, period_to, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';

/** Every cost entry, with its dollar figure and its lock. */
export const cost_entries = defineResource(COST_ENTRY, {
  sentence: 'Costs of initiatives.',
  filters: { updated_since, initiative_id, period_from, period_to, include_sample },
  read: listCostEntries,
});
