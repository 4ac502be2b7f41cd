import { findInitiative, listInitiatives } from '../../ledger/lists/initiatives.ts';
import { INITIATIVE } from '../../tables/records/initiative.ts';
import { include_sample, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';

/** Initiatives, and one of them by its id. */
export const initiatives = defineResource(INITIATIVE, {
  sentence: 'AI initiatives and their business cases.',
  filters: { updated_since, include_sample },
  read: listInitiatives,
  find: findInitiative,
});
