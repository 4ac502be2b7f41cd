import { defineRecord, field, person } from '../record.ts';
import { created_at } from './shared-fields.ts';

/** The states of a connection to an outside platform. */
export const CONNECTION_STATUSES = ['active', 'paused', 'error', 'disconnected'] as const;

/** A connection to an outside platform. The view has no credentials, settings or error texts. */
export const INTEGRATION = defineRecord({
  name: 'integrations',
  component: 'Integration',
  description: 'A connection to an outside platform; never its credentials.',
  view: 'reporting.connections',
  fields: {
    id: field('id', 'The connection.'),
    platform: field('string', 'The key of its platform.'),
    name: field('string?', 'The name that people gave it; null without a name.'),
    description: field('text?', 'Free text; null when none was given.'),
    status: field(
      'string',
      'In `error` its syncs fail; `paused` and `disconnected` mean that someone stopped it.',
      { values: CONNECTION_STATUSES },
    ),
    auth_type: field('string?', 'How it signs in; null when not known.', {
      values: ['oauth', 'api_key', 'basic', 'webhook', 'github_app', 'service_account', 'file_upload'],
    }),
    last_sync_status: field('string?', 'How the latest sync ended; null before the first.'),
    last_synced_at: field('timestamp?', 'When data last arrived; null before that.'),
    reauth_required_at: field(
      'timestamp?',
      'When the platform refused the authorization: a person must reconnect. Null otherwise.',
    ),
    external_account_id: field('string?', 'The account on the platform; null when not known.'),
    external_account_name: field('string?', 'Its name there; null when not known.'),
    primary_source_categories: field(
      'json',
      "The categories it is the canonical source for; where two connections could serve, only the primary's readings are used.",
    ),
    metric_categories: field('json', "The data that the platform's connections can provide."),
    simulated: field(
      'boolean',
      'True when a simulator answers its syncs; only an internal account can hold one.',
    ),
    connected_by: person('The person who connected it; null when not recorded.'),
    created_at,
    updated_at: field('timestamp', 'The last change; lists are ordered by it.'),
  },
});
