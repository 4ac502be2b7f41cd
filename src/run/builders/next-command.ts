/** Chooses the command that a person should run next after an account's last build, and says why. */
import { type ErrorCode, isErrorCode } from '../../errors.ts';
import { FULL_DISK_CODES } from '../../full-disk.ts';
import type { Attempt } from './attempts.ts';

/** `died`: the process ended without recording how. */
export type Fate = Attempt['outcome'] | 'died';

export interface NextCommand {
  readonly command: string;
  readonly why: string;
}

type Advice = readonly [command: string, why: string];

/** The advice for codes that need more than another try. */
const BY_CODE: Readonly<Partial<Record<ErrorCode, Advice>>> = {
  audit_refused: ['build --account ACCOUNT', 'once the rows named above are right in the ledger'],
  clock_regressed: ['build --account ACCOUNT', 'once the clock of the database host is correct'],
  clocks_disagree: ['doctor', 'names the clock that is off'],
  database_newer: ['--version', 'this program is older than its database: install the newer one'],
  database_unreachable: ['build --account ACCOUNT', 'once the database answers'],
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
  reporting_off: ['build --account ACCOUNT', 'once its reporting is switched on'],
  roles_unsafe: ['build --account ACCOUNT', 'once DATABASE_URL is a login that row security restricts'],
  schema_drift: ['migrate', 'brings the views up to what this version reads'],
  settings_invalid: ['build --account ACCOUNT', 'once the settings named above are right'],
  spool_failed: ['build --account ACCOUNT', 'once the folder named above can be written and has space'],
  store_self_test_failed: ['build --account ACCOUNT', 'once the store passes its self-test'],
  store_unavailable: ['build --account ACCOUNT', 'once the store accepts the credentials'],
  sum_too_large: [
    'build --account ACCOUNT',
    'once the amounts of the window named above are right in the ledger',
  ],
  table_lost_rows: ['build --account ACCOUNT', 'once it is known where the rows went'],
};

/** The advice for any step that had no space left. */
const FULL_DISK: Advice = [
  'prune',
  'deletes what has expired, also on a full disk, and says what else can go',
];

const AGAIN: Advice = ['build --account ACCOUNT', 'trying again is safe'];

const BY_FATE: Readonly<Record<Exclude<Fate, 'failed'>, Advice>> = {
  running: ['why --account ACCOUNT', 'to look again'],
  died: ['build --account ACCOUNT', 'with more memory, if the system log says that memory ran out'],
  published: ['snapshots --account ACCOUNT', 'shows the readable snapshots'],
  skipped: ['snapshots --account ACCOUNT', 'shows the snapshot that this night already has'],
  superseded: ['snapshots --account ACCOUNT', 'shows the newer snapshot'],
};

/** The code of an error, and the facts behind its message. */
export interface Failure {
  readonly code: string;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** An ended build. */
interface Ended {
  readonly account_id: string;
  readonly failure: Failure | null;
}

/** The next command, complete with its arguments. */
export function nextCommand({ account_id, failure }: Ended, fate: Fate): NextCommand {
  const [command, why] = fate === 'failed' ? adviceFor(failure) : BY_FATE[fate];
  return { command: `npx --no crossfoot ${command.replace('ACCOUNT', account_id)}`, why };
}

function adviceFor(failure: Ended['failure']): Advice {
  // The code of the operating system, which errors of the store and of the spool state.
  if (FULL_DISK_CODES.has(String(failure?.data?.['code']))) return FULL_DISK;
  const code = failure?.code ?? '';
  return (isErrorCode(code) ? BY_CODE[code] : undefined) ?? AGAIN;
}
