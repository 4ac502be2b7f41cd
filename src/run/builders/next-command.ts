/** Chooses the command that a person should run next after an account's last build, and says why. */
import { type ErrorCode, isErrorCode } from '../../errors.ts';
import { FORBIDDEN_CODES, FULL_DISK_CODES, READING_STEPS } from '../../full-disk.ts';
import {
  mendingCommand,
  type NewestFault,
  type NextCommand,
  nextLook,
  type PendingBuild,
  pendingWords,
} from '../../next-step.ts';
import type { Attempt, Fate } from './attempts.ts';

type Advice = readonly [command: string, why: string];

const BUILD = 'build --account ACCOUNT';

/** The advice for codes that need more than another try. */
const BY_CODE: Readonly<Partial<Record<ErrorCode, Advice>>> = {
  audit_refused: [BUILD, 'once the rows named above are right in the ledger'],
  clock_regressed: [BUILD, 'once the clock of the database host is correct'],
  clocks_disagree: ['doctor', 'names the clock that is off'],
  database_newer: ['--version', 'this program is older than its database: install the newer one'],
  database_unreachable: [BUILD, 'once the database answers'],
  ledger_older: [
    'build --account ACCOUNT --accept-ledger',
    'once this database is known to replace the lost one, and to be no copy and no standby that lags',
  ],
  log_older: [
    'snapshots --account ACCOUNT --accept-head',
    'once OBJECT_STORE is known to be the right store',
  ],
  manifest_invalid: ['snapshots --account ACCOUNT', 'shows which snapshot is damaged'],
  not_found: ['build', 'builds every account that reports; this one is not in the ledger'],
  publish_log_broken: ['snapshots --account ACCOUNT', 'to see up to where the log is whole'],
  reporting_off: [BUILD, 'once its reporting is switched on'],
  roles_unsafe: [BUILD, 'once DATABASE_URL is a login that row security restricts'],
  schema_drift: ['migrate', 'brings the views up to what this version reads'],
  settings_invalid: [BUILD, 'once the settings named above are right'],
  spool_failed: [BUILD, 'once the folder named above can be written and has space'],
  store_self_test_failed: [BUILD, 'once the store passes its self-test'],
  store_unavailable: [BUILD, 'once the store accepts the credentials'],
  sum_too_large: [BUILD, 'once the amounts of the window named above are right in the ledger'],
  table_lost_rows: [BUILD, 'once it is known where the rows went'],
};

/** The advice for any step that had no space left. */
const FULL_DISK: Advice = [
  'prune',
  'deletes what has expired, also on a full disk, and says what else can go',
];

const AGAIN: Advice = [BUILD, 'trying again is safe'];

const BY_FATE: Readonly<Record<Exclude<Fate, 'failed'>, Advice>> = {
  running: ['why --account ACCOUNT', 'to look again'],
  died: [BUILD, 'with more memory, if the system log says that memory ran out'],
  published: ['snapshots --account ACCOUNT', 'shows the readable snapshots'],
  skipped: ['snapshots --account ACCOUNT', 'shows the snapshot that this night already has'],
  superseded: ['snapshots --account ACCOUNT', 'shows the newer snapshot'],
};

/** The code of an error, and the facts behind its message. */
export interface Failure {
  readonly code: string;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** The last build. */
interface Ended extends Partial<Pick<Attempt, 'started_by'>> {
  readonly account_id: string;
  readonly failure: Failure | null;
}

/** What the queue and the store say beside the record of the build. Each field is unknown if omitted. */
interface Beside {
  readonly pending?: PendingBuild | null;
  readonly newest?: NewestFault;
  /** The command of the program that takes builds from the queue; `start` if omitted. */
  readonly worker?: 'start' | 'work';
}

/** The next command, complete with its arguments. */
export function nextCommand(
  { account_id, failure, started_by = null }: Ended,
  fate: Fate,
  { pending = null, newest = null, worker = 'start' }: Beside = {},
): NextCommand {
  const isQueued = started_by === 'night' || started_by === 'queue';
  const ended = fate === 'published' || fate === 'skipped' || fate === 'superseded';
  if (ended && newest !== null) return mendingCommand(account_id, newest, pending);
  // A program that was stopped put the build back into the queue.
  if (pending === null && isQueued && failure?.code === 'build_stopped')
    return complete(account_id, [worker, 'takes the build up again: it is still queued']);
  const [command, why] = fate === 'failed' ? adviceFor(failure) : BY_FATE[fate];
  if (command !== BUILD) {
    const then = pending === null || fate !== 'failed' ? '' : `; ${pendingWords(pending)}`;
    return complete(account_id, [command, `${why}${then}`]);
  }
  if (pending !== null) {
    const look = nextLook(pending);
    if (fate === 'died')
      return { ...look, why: `${pendingWords(pending)}; ${why.replace('with', 'give it')}` };
    return why.startsWith('once ') ? { ...look, why: `${pendingWords(pending)}; it publishes ${why}` } : look;
  }
  return complete(account_id, [isQueued ? command.replace('build', 'enqueue') : command, why]);
}

function complete(account_id: string, [command, why]: Advice): NextCommand {
  return { command: `npx --no crossfoot ${command.replace('ACCOUNT', account_id)}`, why };
}

function adviceFor(failure: Ended['failure']): Advice {
  // The code of the operating system, which errors of the store and of the spool state.
  if (FULL_DISK_CODES.has(String(failure?.data?.['code']))) return FULL_DISK;
  const code = failure?.code ?? '';
  if (code === 'store_unavailable' || code === 'store_self_test_failed') {
    const folder = adviceForFolder(failure?.data ?? {});
    if (folder !== null) return folder;
  }
  return (isErrorCode(code) ? BY_CODE[code] : undefined) ?? AGAIN;
}

/** The advice for a store in a folder, whose errors have a code of the operating system; null for another error. */
function adviceForFolder({ code, path, step }: Readonly<Record<string, unknown>>): Advice | null {
  if (code === 'EROFS') return [BUILD, 'once the disk of OBJECT_STORE is mounted for writing'];
  if (!FORBIDDEN_CODES.has(String(code))) return null;
  const folder = typeof path === 'string' ? path : 'the folder of OBJECT_STORE';
  const deed = READING_STEPS.has(String(step)) ? 'read' : 'write';
  return [BUILD, `once the owner and rights of ${folder} let this user ${deed}`];
}
