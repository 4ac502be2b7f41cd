import { z } from '@hono/zod-openapi';
import {
  AUTH_TYPES,
  CONNECTION_STATUSES,
  type IntegrationRow,
  listIntegrations,
} from '../../ledger/lists/integrations.ts';
import { oneOf, parameter, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';
import {
  arrayOf,
  component,
  integer,
  oneOfThese,
  person,
  text,
  timestamp,
  boolean,
} from '../contract/shapes.ts';
import { shownAs, shownPerson } from '../contract/shown.ts';

const row = component('Integration', 'A connection to an outside platform; never its credentials.', {
  id: integer('The connection.'),
  platform: text('The key of its platform.'),
  name: text('The name that people gave it; null without a name.').nullable(),
  description: text('Free text; null when none was given.').nullable(),
  status: oneOfThese(
    CONNECTION_STATUSES,
    'In `error` its syncs fail; `paused` and `disconnected` mean that someone stopped it.',
  ),
  auth_type: oneOfThese(AUTH_TYPES, 'How it signs in; null when not known.').nullable(),
  last_sync_status: text('How the latest sync ended; null before the first.').nullable(),
  last_synced_at: timestamp('When data last arrived; null before that.').nullable(),
  reauth_required_at: timestamp(
    'When the platform refused the authorization: a person must reconnect. Null otherwise.',
  ).nullable(),
  external_account_id: text('The account on the platform; null when not known.').nullable(),
  external_account_name: text('Its name there; null when not known.').nullable(),
  primary_source_categories: arrayOf(
    z.string(),
    "The categories it is the canonical source for; where two connections could serve, only the primary's readings are used.",
  ),
  metric_categories: arrayOf(z.string(), "The data that the platform's connections can provide."),
  simulated: boolean('True when a simulator answers its syncs; only an internal account can hold one.'),
  connected_by: person
    .nullable()
    .meta({ description: 'The person who connected it; null when not recorded.' }),
  created_at: timestamp('First written.'),
  updated_at: timestamp('The last change; lists are ordered by it.'),
});

const KEY = /^[a-z0-9_]{1,200}$/;

const platform = parameter(
  (key) => (KEY.test(key) ? key : null),
  'the key of a platform: lower-case letters, digits and underscores',
  { type: 'string', pattern: KEY.source, description: 'Only connections to the platform with this key.' },
);

/** Connections to outside platforms. */
export const integrations = defineResource({
  name: 'integrations',
  component: 'Integration',
  sentence: 'Connections to outside platforms.',
  row,
  filters: {
    updated_since,
    platform,
    status: oneOf(CONNECTION_STATUSES, 'Only connections of this status.'),
  },
  read: listIntegrations,
  show: showIntegration,
});

/** A connection in its JSON form. */
export function showIntegration(integration: IntegrationRow): z.output<typeof row> {
  return shownAs(row, integration, {
    connected_by: shownPerson(integration.connected_by_id, integration.connected_by_name),
  });
}
