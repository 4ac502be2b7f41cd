import { listValueEntries } from '../../ledger/lists/value-entries.ts';
import { VALUE_ENTRY, VALUE_STATUSES } from '../../tables/records/value_entry.ts';
import {
  include_sample,
  initiative_id,
  oneOf,
  period_from,
  period_to,
  updated_since,
} from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';

/** Every value entry, of any status. */
export const value_entries = defineResource(VALUE_ENTRY, {
  sentence: 'Value of initiatives, of every status.',
  filters: {
    updated_since,
    initiative_id,
    period_from,
    period_to,
    include_sample,
    status: oneOf(VALUE_STATUSES, 'Only entries of this status.'),
  },
  read: listValueEntries,
});
