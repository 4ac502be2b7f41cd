/** The log events of what is sent to others: messages of webhooks, and snapshots. `log-events.ts` has all others. */
import { error, info, type LogEvent, warn } from './log-event.ts';

/** By subject, in the order of the reference page. */
export const DELIVERED_EVENTS: Readonly<Record<string, Readonly<Record<string, LogEvent>>>> = {
  Webhooks: {
    'event.told': info('account outcome rows', [
      'The event that `outcome` names was queued for the webhooks of an account.',
      '`rows` counts them.',
    ]),
    'event.untold': error(
      'account outcome error',
      ['An event could not be stored.', 'A published snapshot is found and reported within minutes.'],
      'Check the database.',
    ),
    'telling.skipped': warn(
      'error',
      'A build by hand could not queue its refusal for webhooks; often its login may only read.',
    ),
    'webhook.delivered': info(
      'account webhook outcome attempt ms status',
      'A receiver accepted a webhook message.',
    ),
    'webhook.failed': warn('account webhook outcome attempt ms status code', [
      'A receiver did not accept a message.',
      'The delivery is retried for a day.',
    ]),
    'webhook.abandoned': error(
      'account webhook outcome attempt ms status code',
      ['A receiver did not accept a message for a whole day.', 'The delivery is not retried.'],
      'Run `npx --no crossfoot webhooks test`.',
    ),
    'webhook.disabled': warn(
      'account webhook outcome attempt ms status',
      ['The receiver answered 410: its address is gone.', 'No more messages are sent there.'],
      'Run `npx --no crossfoot webhooks rotate` to use the webhook again.',
    ),
    'watch.failed': error(
      'account error',
      ['The search for events that were not reported yet failed.', 'The next attempt is in two minutes.'],
      'Check the database and the store.',
    ),
  },
  Deliveries: {
    'delivery.finished': info('account target snapshot outcome ms', [
      'A snapshot was delivered to a target.',
      'With the outcome `withdrawn` it was retracted or deleted before, and was not delivered.',
    ]),
    'delivery.failed': warn('account target snapshot attempt error', [
      'A snapshot could not be delivered to a target.',
      'The delivery is retried for about a day, and goes on where it ended.',
    ]),
    'delivery.unpruned': warn(
      'account target snapshot error',
      [
        'A snapshot was delivered, but older ones could not be deleted at the target.',
        'The next delivery tries again.',
      ],
      'Allow the key of the target to delete objects there.',
    ),
    'delivery.abandoned': error(
      'account target snapshot attempt error',
      [
        'A snapshot could not be delivered for about a day.',
        'The delivery is not retried; the next snapshot is delivered.',
      ],
      'Run `npx --no crossfoot deliver test`.',
    ),
    'delivery.unfound': error(
      'account error',
      ['The search for snapshots to deliver failed.', 'The next attempt is in a minute.'],
      'Check the database and the store.',
    ),
  },
};
