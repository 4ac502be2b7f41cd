import { listIntegrations } from '../../ledger/lists/integrations.ts';
import { CONNECTION_STATUSES, INTEGRATION } from '../../tables/records/integration.ts';
import { oneOf, parameter, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';

const KEY = /^[a-z0-9_]{1,200}$/;

const platform = parameter(
  (key) => (KEY.test(key) ? key : null),
  'the key of a platform: lower-case letters, digits and underscores',
  { type: 'string', pattern: KEY.source, description: 'Only connections to the platform with this key.' },
);

/** Connections to outside platforms. */
export const integrations = defineResource(INTEGRATION, {
  sentence: 'Connections to outside platforms.',
  filters: {
    updated_since,
    platform,
    status: oneOf(CONNECTION_STATUSES, 'Only connections of this status.'),
  },
  read: listIntegrations,
});
