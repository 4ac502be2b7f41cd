/** The one command to run next, and why: what a tired person should do about the last build of an account. */
import type { ErrorCode } from '../../errors.ts';
import type { Attempt } from './attempts.ts';

/** `died`: its process is gone without having said how it ended. */
export type Fate = Attempt['outcome'] | 'died';

export interface NextCommand {
  readonly command: string;
  readonly why: string;
}

type Advice = readonly [command: string, why: string];

/** Only where building again is not simply the thing to do. */
const BY_CODE: Readonly<Partial<Record<ErrorCode, Advice>>> = {
  audit_refused: ['build --account ACCOUNT', 'once the rows named above are right in the ledger'],
  clock_regressed: ['build --account ACCOUNT', "once the database host's clock is right"],
  clocks_disagree: ['doctor', 'names the clock that is off'],
  database_newer: ['--version', 'this program is older than its database: install the newer one'],
  database_unreachable: ['build --account ACCOUNT', 'once the database answers'],
  log_older: [
    'snapshots --account ACCOUNT --accept-head',
    'once OBJECT_STORE is known to be the right store',
  ],
  manifest_invalid: ['snapshots --account ACCOUNT', 'to see which snapshot is broken'],
  not_found: ['build', 'builds every account that reports; this one is not in the ledger'],
  publish_log_broken: ['snapshots --account ACCOUNT', 'to see up to where the log is whole'],
  reporting_off: ['build --account ACCOUNT', 'once its reporting is switched on'],
  roles_unsafe: ['build --account ACCOUNT', 'once DATABASE_URL is a login that row security holds'],
  schema_drift: ['migrate', 'brings the views up to what this version reads'],
  settings_invalid: ['build --account ACCOUNT', 'once the settings named above are right'],
  store_self_test_failed: ['build --account ACCOUNT', 'once the store keeps what it promises'],
  store_unavailable: ['build --account ACCOUNT', 'once the store lets us in'],
  sum_too_large: [
    'build --account ACCOUNT',
    'once the amounts of the window named above are right in the ledger',
  ],
  table_lost_rows: ['build --account ACCOUNT', 'once it is known where the rows went'],
};

const AGAIN: Advice = ['build --account ACCOUNT', 'trying again is safe'];

const BY_FATE: Readonly<Record<Exclude<Fate, 'failed'>, Advice>> = {
  running: ['why --account ACCOUNT', 'to look again'],
  died: ['build --account ACCOUNT', 'with more memory, if the log of the machine says that it ran out'],
  published: ['snapshots --account ACCOUNT', 'to see what may be read'],
  skipped: ['snapshots --account ACCOUNT', 'to see the one that its night has'],
  superseded: ['snapshots --account ACCOUNT', 'to see the newer one'],
};

/** Of a build: whose it was, and with which code of the error catalogue it failed. */
interface Ended {
  readonly account_id: string;
  readonly failure: { readonly code: string } | null;
}

/** Always one command that can be typed as it stands. */
export function nextCommand({ account_id, failure }: Ended, fate: Fate): NextCommand {
  const advice = fate === 'failed' ? (BY_CODE[(failure?.code ?? '') as ErrorCode] ?? AGAIN) : BY_FATE[fate]; // unknown codes find none
  const [command, why] = advice;
  return { command: `npm run cli -- ${command.replace('ACCOUNT', account_id)}`, why };
}
