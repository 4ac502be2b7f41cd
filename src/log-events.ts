/** Every log event: its level, fields, meaning and remedy. The reference page is generated from it. */

import { DELIVERED_EVENTS } from './delivered-events.ts';
import { debug, error, info, type LogEvent, warn } from './log-event.ts';

/** The remedy of an event whose error names the next step. */
export const FOLLOW_HINT = 'Follow `code` and `hint`.';

/** By subject, in the order of the reference page. Names are a noun, a dot and a past participle. */
export const LOG_EVENTS: Readonly<Record<string, Readonly<Record<string, LogEvent>>>> = {
  Serving: {
    'server.started': info('port url', 'The server listens.'),
    'database.ended': error(
      '',
      ['The embedded PostgreSQL ended by itself.', 'It is started again, up to ten times in a row.'],
      'Read `server.log.1` below `DATA_DIR/postgres`, and check that the disk is not full.',
    ),
    'database.awaited': info('', 'Another command uses the embedded PostgreSQL; the program waits for it.'),
    'database.restarted': info('', 'The embedded PostgreSQL answers again.'),
    'metrics.started': info('port', 'Metrics are served on this port.'),
    'metrics.failed': error(
      'error',
      ['A metric could not be read.', 'Prometheus got 503.'],
      'Check the database and the store.',
    ),
    'request.answered': info('request_id method route status ms bytes', [
      'A request was answered.',
      'The line is written after the last byte of the response.',
    ]),
    'request.refused': info('request_id status', 'A request was too malformed to reach a route.'),
    'request.failed': error(
      'request_id error',
      ['A request was answered with 500 or more.', 'The fields say why.'],
      FOLLOW_HINT,
    ),
    'report.unread': warn(
      'snapshot error',
      'A page was shown without the audit report, because the report could not be read.',
      'Run `npx --no crossfoot scrub`: it reads all stored files again.',
    ),
    'titles.unread': warn(
      'snapshot error',
      'Rows were shown with ids in place of the names of initiatives, because the file of initiatives could not be read.',
      'Run `npx --no crossfoot scrub`: it reads all stored files again.',
    ),
    'nights.unread': warn(
      'error',
      'The page of all snapshots was shown without the last night, because the queue did not answer.',
      'Check the database of the queue.',
    ),
    'totals.unread': warn(
      'error',
      "The page of tonight's run does not show the left-out amounts, because the newest snapshot cannot be read.",
      'Run `npx --no crossfoot snapshots --account 1` to see why.',
    ),
    'moves.unread': warn(
      'snapshot error',
      'A page of figures does not say what moved, because the snapshot before cannot be read or compared.',
      'Open `/changes`: it compares again, and shows the error if that fails, too.',
    ),
    'figures.unread': warn(
      'snapshot error',
      'The overview shows no figures of a snapshot, because its files cannot be read.',
      'Run `npx --no crossfoot verify` on the snapshot.',
    ),
    'pages.unprepared': warn(
      'account error',
      ['The pages of a new snapshot could not be read before a person opened them.', 'They are read then.'],
      FOLLOW_HINT,
    ),
    'comparison.unread': warn(
      'account snapshot error',
      [
        'A stored comparison with the snapshot before could not be read.',
        'The snapshots were compared anew.',
      ],
      FOLLOW_HINT,
    ),
    'client.connected': info(
      'request_id account token_id',
      'A person allowed a client to ask the assistant.',
    ),
    'message.refused': debug('error', 'A message to the assistant was refused before it reached a tool.'),
    'transfer.cut': warn('ms bytes', [
      'A download was cut off: it was too slow or took too long.',
      'The client can continue it with `Range`.',
    ]),
    'transfer.broken': error(
      'error',
      'A download ended early, because its bytes could not be read from the store or are wrong.',
      'Run `npx --no crossfoot verify <id>`, then `npx --no crossfoot build`.',
    ),
    'log.broken': error(
      'error',
      'The publish log of an account has a gap, a fork or an edited entry.',
      "Run `npx --no crossfoot snapshots`, then restore the store's log.",
    ),
    'head.unremembered': warn(
      'account error',
      'The remembered head of a publish log could not be read from, or written to, one of its two places.',
      'Check `DATA_DIR` and the database.',
    ),
    'part.missed': warn(
      'step error',
      ['The database or the store did not answer `/readyz`.', 'The field `step` says which.'],
      'Check that dependency.',
    ),
    'connection.lost': warn(
      'error',
      'An idle database session ended.',
      'Check the database if it happens again and again.',
    ),
    'limits.unshared': warn(
      'error',
      ['Request counts could not be shared between servers.', 'Each server limits on its own meanwhile.'],
      'Check the database.',
    ),
    'limits.shared': info('', 'Request counts are shared again.'),
    'limits.unswept': warn('error', ['Old records were not deleted.', 'The next minute tries again.']),
    'uses.unkept': warn('error', 'The last use of tokens could not be stored.', 'Check the database.'),
  },
  'Nights and builds': {
    'night.queued': info('night rows', [
      'A night was queued.',
      '`rows` counts the accounts that were new in it.',
    ]),
    'night.postponed': error(
      'error',
      ['A night could not be queued.', 'It is tried again every minute.'],
      'Check the database.',
    ),
    'night.hindered': error(
      'step error',
      ['A step beside the builds failed.', 'The field `step` names it.', 'The night goes on.'],
      FOLLOW_HINT,
    ),
    'night.failed': error('error', 'The job that queues nights ended.', 'Start the job again.'),
    'worker.started': info('step', 'A worker takes builds from the queue.'),
    'worker.stopped': info('', ['A worker was told to stop.', 'It gave back the builds that it held.']),
    'job.taken': info('account attempt night table', [
      'A worker builds a snapshot of an account.',
      'With the field `table` it reads a range of that table for a build of another process.',
    ]),
    'job.completed': info('account attempt night table step', [
      'The build or the range ended.',
      'The field `step` says how.',
    ]),
    'job.failed': error(
      'account attempt night table error',
      ['The build or the range failed.', 'A build is retried five times, a range twice.'],
      'Run `npx --no crossfoot why`.',
    ),
    'job.returned': info(
      'account attempt night table',
      'A worker was told to stop and gave this build or this range back.',
    ),
    'job.lost': warn(
      'account attempt night table',
      [
        'The queue took this build from the worker: it exceeded its timeout, or no heartbeat came.',
        'Or the build that offered this range has ended.',
      ],
      'Look for a machine that swaps memory.',
    ),
    'queue.lost': warn(
      'error',
      ['The queue did not answer.', 'The builds of this worker return to the queue by themselves.'],
      'Check the database.',
    ),
    'build.failed': error(
      'error',
      ['A build failed.', 'The fields say why.'],
      'Run `npx --no crossfoot why`.',
    ),
    'comparison.stored': debug('account snapshot rows bytes ms', [
      'The comparison of a new snapshot with the one before was stored.',
      '`rows` counts the changed rows.',
    ]),
    'comparison.unstored': warn('account snapshot error', [
      'The comparison of a new snapshot with the one before was not stored.',
      'The snapshot is published; the first request for the comparison compares them.',
    ]),
    'attempt.lost': warn(
      'error',
      'The record that `npx --no crossfoot why` reads could not be written.',
      'Check the disk of `DATA_DIR`.',
    ),
    'rates.imported': info('rows', ['New published rates were stored.', '`rows` counts them.']),
    'rates.skipped': info('', 'No rates are read, because `RATES_URL` names no source.'),
    'rates.unread': info('code message', [
      'The published rates could not be read, so the stored rates stay.',
      '`message` says why.',
      '`RATES_URL=off` reads none.',
    ]),
    'rates.failed': error(
      'error',
      ['Rates could not be read.', 'Entries are converted at the rates that are stored.'],
      'Run `npx --no crossfoot rates import`.',
    ),
    'account.converted': info('account rows', [
      'Entries of an account were converted at new rates.',
      '`rows` counts them.',
    ]),
  },
  ...DELIVERED_EVENTS,
  Retention: {
    'files.removed': info('account snapshot step', [
      'Files of a snapshot were deleted.',
      'The field `step` says why.',
    ]),
    'leftover.removed': info('file', 'A file left by a dead process was deleted.'),
    'spool.left': warn(
      'error',
      ['The spool folders of killed builds could not be deleted.', 'Builds go on.'],
      'Check `DATA_DIR/spool`, and that the disk is not full.',
    ),
    'retention.skipped': error(
      'account error',
      [
        'The deletions of an account ended with a fault.',
        'While its log or newest snapshot is damaged, no file is deleted.',
      ],
      'Run `npx --no crossfoot snapshots`.',
    ),
    'retention.failed': error(
      'error',
      ['Retention ended early.', 'When in doubt it deletes nothing.'],
      FOLLOW_HINT,
    ),
    'snapshot.quarantined': error(
      'account snapshot file',
      ['A scrub read this file three times and found it damaged each time.', 'The file is no longer served.'],
      'Restore the file from a copy, then run `npx --no crossfoot scrub`; or run `npx --no crossfoot build`.',
    ),
    'file.damaged': error(
      'account snapshot file',
      ['A read found this file damaged and refused it.', 'The server has its snapshot scrubbed at once.'],
      'Restore the file from a copy, then run `npx --no crossfoot scrub --account <id>`.',
    ),
    'pin.lost': error(
      'account snapshot step',
      ['A damaged snapshot is pinned.', 'The field `step` names the pin.'],
      'Restore the damaged file from a copy, then run `npx --no crossfoot scrub`.',
    ),
    'snapshot.restored': info('account snapshot', [
      'Every byte of a snapshot has the published digest again.',
      'It is served.',
    ]),
    'file.unexpected': warn(
      'account snapshot file',
      ['A stored snapshot holds a file that its manifest does not name.', 'The file is never served.'],
      'Find out who wrote it.',
    ),
    'comparison.damaged': warn(
      'account snapshot found',
      ['A scrub found a stored comparison damaged.', 'The snapshots are compared when somebody asks.'],
      'Delete the folder that `found` names.',
    ),
    'signature.unknown': warn(
      'account snapshot found',
      ['A snapshot is signed with a key that is not among those of the settings.', 'It is served.'],
      'If the key is yours, add its public part to `SIGNING_PUBLIC_KEYS`; else find out who published.',
    ),
    'scrub.skipped': error(
      'account error',
      'The snapshots of an account could not be read again.',
      FOLLOW_HINT,
    ),
    'scrub.completed': info('rows bytes found', [
      'Stored snapshots were read again.',
      '`rows` counts them.',
      '`found` counts the damaged and the postponed ones.',
    ]),
    'rebuild.queued': info('rows', [
      'Accounts whose newest snapshot is damaged are built again.',
      '`rows` counts them.',
    ]),
  },
};
