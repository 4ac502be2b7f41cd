/**
 * The error catalogue. Every expected error of this program has a stable code here, with its exit code and HTTP status.
 * The message adds what, where, expected and found.
 */

/** 1: the work failed. 2: wrong usage or settings. 3: figures are refused. 10: there was nothing to do. */
export type ExitCode = 1 | 2 | 3 | 10;

interface Kind {
  readonly exit: ExitCode;
  /** The HTTP status if this error reaches a route; from 500 on the answer does not show the message. */
  readonly status: number;
  readonly meaning: string;
}

const kind =
  (exit: ExitCode, status: number) =>
  (meaning: string): Kind => ({ exit, status, meaning });
/** The work failed, by a fault of this program or of its input. */
const failed = kind(1, 500);
/** The work failed: data is damaged, or a database or store does not serve. A route answers 503. */
const unavailable = kind(1, 503);
/** The installation must be corrected first: roles, migrations, data folder. */
const setup = kind(2, 503);
const usage = kind(2, 500);
const refused = kind(3, 500);
/** A refused request; `status` says why. */
const answered = (status: number, meaning: string): Kind => kind(1, status)(meaning);

/** Sorted by code; a test holds the order. */
export const ERRORS = {
  account_refused: failed(
    'An account could not be added, changed or removed: a name is taken, or months are locked.',
  ),
  audit_refused: refused('The audit refused the figures of a snapshot.'),
  build_died: failed('A build process ended, or its error has no code.'),
  build_stopped: failed('A build was stopped before its end.'),
  client_gone: answered(499, 'A client went away before its request was complete.'),
  clock_regressed: failed("The database's clock is far behind the newest snapshot."),
  clocks_disagree: failed(
    'The clocks of database, object store and this process are over two minutes apart.',
  ),
  comparison_waited: unavailable(
    'A comparison or a catalogue waited too long for those before it, or a request needs many of them.',
  ),
  conversion_failed: unavailable('Rates or entries of an account could not be written.'),
  copy_cut_short: failed('A COPY stream ended before its end mark.'),
  copy_extra_bytes: failed('A COPY stream goes on after its end mark.'),
  copy_failed: unavailable('A table could not be read from the database to its end.'),
  copy_field_count: failed('A COPY row has another number of fields than its table.'),
  copy_field_width: failed('A COPY field has another length than its type.'),
  copy_signature_wrong: failed('A stream does not begin as COPY binary does.'),
  database_newer: setup('The database was migrated by a newer version of this program.'),
  database_older: setup('A ledger is from before the first release.'),
  database_unreachable: unavailable('The database could not be reached.'),
  delivery_refused: failed(
    'Snapshots cannot be delivered: to this address, with this secret, or beside objects that are there already.',
  ),
  diff_unexplained: failed('The changed rows do not explain the change of a total to the cent.'),
  doctor_failed: failed('A check of `npx --no crossfoot doctor` failed.'),
  embedded_failed: unavailable('The embedded PostgreSQL did not start or stop.'),
  embedded_in_use: setup('Another running instance uses this data folder, and cannot share it.'),
  embedded_missing: setup('The data folder has no embedded database, and the command creates none.'),
  embedded_refused_user: setup('The embedded PostgreSQL cannot run as this user on this machine.'),
  entries_held: unavailable('Other sessions kept entries locked for longer than a conversion waits.'),
  figures_in_flight: answered(
    429,
    'Too many figures, comparisons, catalogues or pages of one account are being made at once.',
  ),
  file_corrupt: unavailable('A stored file differs from what was audited.'),
  file_unreadable: failed('A file or folder to verify could not be read.'),
  form_refused: answered(403, 'A form was not sent by a page of this server.'),
  generated_stale: failed('A generated file does not match what it is made from.'),
  grants_missing: setup('A role lacks a right that its work needs.'),
  initiative_missing: failed('The ledger has entries of an initiative that the views leave out.'),
  instant_out_of_range: failed('An instant is infinite or before the year 1.'),
  ledger_is_standby: unavailable('A list needs the primary; this is a standby.'),
  ledger_locked: unavailable('A source table is locked by another session.'),
  ledger_older: failed('The newest snapshot read a later state of the ledger than the database has.'),
  link_expired: answered(410, 'A link or its token is no longer valid.'),
  load_not_tied: failed('The ledger does not have the rows and sums of a loaded file; nothing was loaded.'),
  load_rejected: failed('The files to load have faults; nothing was loaded.'),
  load_unexpected: failed('The files to load do not hold the expected rows and sums; nothing was loaded.'),
  log_older: unavailable('A publish log lacks an entry that was seen before, or has another entry there.'),
  manifest_invalid: unavailable(
    'A stored manifest is missing, malformed, or differs from the digest in its log entry.',
  ),
  marks_broken: unavailable('The marks on the snapshots of an account have a gap, a fork or an edited mark.'),
  member_refused: answered(403, 'The person is not an owner or admin of the account.'),
  method_refused: answered(405, 'The route does not answer this method.'),
  migration_changed: setup('The migration files do not continue what was already applied.'),
  migration_failed: unavailable('A migration file could not be applied.'),
  moment_unseen: unavailable('A further connection of a build does not see the moment of the build.'),
  month_refused: failed(
    'A month could not be closed or reopened: it has not ended, is closed already, or is not closed.',
  ),
  not_found: answered(404, 'What a request names does not exist.'),
  parameter_refused: answered(400, 'A parameter or its value is not accepted.'),
  parquet_failed: failed('A Parquet file could not be encoded.'),
  parts_refused: failed('The parts of a table do not make one file.'),
  person_refused: failed(
    'A person could not be invited or removed: in the account already, gone already, or its last owner.',
  ),
  plan_without_api: answered(403, "The account's plan does not include API access."),
  precondition_failed: answered(
    412,
    'The precondition of a conditional request names another version than the present one.',
  ),
  prune_incomplete: failed('Prune did not finish some accounts because of a fault.'),
  publish_aborted: failed(
    'Another process, usually prune, wrote the manifest of this build before it was published.',
  ),
  publish_log_broken: unavailable('The publish log has a gap, a fork or an edited entry.'),
  pull_failed: failed('A snapshot could not be pulled; a retry may succeed.'),
  pull_nothing_new: { exit: 10, status: 500, meaning: 'The snapshot to pull was there already.' },
  pull_refused: refused('A snapshot was refused, retracted or corrupt.'),
  queue_unready: setup('The tables of the build queue are missing or of another version.'),
  rates_changed: failed('A file of reference rates contradicts rates that were published.'),
  rates_implausible: failed('A file of reference rates has a rate far from the days before it.'),
  rates_not_read: unavailable('A source of reference rates could not be read.'),
  rates_rejected: failed('A file of reference rates has faults.'),
  reporting_off: answered(404, 'Reporting is off for the account.'),
  resources_exhausted: failed('A disk is full, or PostgreSQL has no memory left.'),
  role_refused: setup('A login may not take the role that its work needs.'),
  roles_unsafe: setup('The database connection could see more than one account.'),
  rows_disagree: failed('The numbers of rows sent, rows read and rows in the file differ.'),
  schema_breaks_promise: failed('The published tables or API of v1 would change by more than additions.'),
  schema_change_untold: failed(
    'The published tables or API of v1 would grow without a line in schema/CHANGES.md.',
  ),
  schema_drift: unavailable(
    'The ledger lacks a table, view or column that a build reads, or has it of another type.',
  ),
  scrub_found_damage: failed('Stored snapshots differ from what was audited, or could not be read.'),
  settings_invalid: usage('Settings are missing or malformed.'),
  snapshot_expired: answered(404, 'A snapshot has expired.'),
  snapshot_retracted: failed('A snapshot was already retracted, with another reason or replacement.'),
  spool_failed: failed('A build could not use the disk of its spool.'),
  standby_conflict: unavailable('A standby cancelled a build that conflicted with the replay of changes.'),
  statement_timed_out: unavailable('A statement took longer than the timeout of its route.'),
  store_checksum_mismatch: unavailable('Bytes differ from their announced checksum.'),
  store_key_invalid: failed('A key of the object store is malformed.'),
  store_object_missing: unavailable('An object that must be in the store is missing or too short.'),
  store_object_refused: unavailable('The object store has a link or another special file.'),
  store_object_too_large: unavailable('An object in the store is larger than its kind may be.'),
  store_outcome_unknown: unavailable('The object store gave no answer; the call may have been applied.'),
  store_self_test_failed: failed('The object store does not keep the promises that publishing needs.'),
  store_unavailable: unavailable('The object store refused a call.'),
  sum_too_large: {
    exit: 3,
    status: 503,
    meaning: 'A sum is larger than 2^53 - 1 cents, so it has no exact JSON number.',
  },
  table_lost_rows: refused('A table shrank and a recount does not explain it.'),
  token_of_other_kind: answered(403, 'An access token is not of the kind a route needs.'),
  token_refused: answered(401, 'The access token is missing or not valid.'),
  token_unchecked: unavailable('An access token could not be checked.'),
  too_many_requests: answered(429, 'A caller has used up its requests for this minute.'),
  upload_differs: failed('The stored bytes differ from the audited bytes.'),
  usage_invalid: usage('A command was called with wrong arguments.'),
  value_infinite: failed('A day or instant is infinite or out of range.'),
  value_missing: failed('A column that always has a value has none.'),
  value_not_finite: failed('A number is NaN or infinite.'),
  value_not_of_kind: failed("A value is not of its column's kind or range."),
  verify_refused: refused('A stored snapshot differs from the published one.'),
  webhook_refused: failed('The receiver of a webhook did not accept a test message.'),
} satisfies Record<string, Kind>;

export type ErrorCode = keyof typeof ERRORS;

/** True for a code of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** Codes of builds that refused the figures: a retry without a correction has the same outcome. */
export const REFUSAL_CODES = [
  'audit_refused',
  'sum_too_large',
  'table_lost_rows',
] as const satisfies ErrorCode[];

export interface ErrorContext {
  /** The next step for a person, in one sentence. */
  readonly hint?: string;
  /** The facts: table, window, expected, found. Never tokens, names or free text. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected error: the code names its kind, the message says where, and the hint says what to do. */
export class CrossfootError extends Error {
  override readonly name = 'CrossfootError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? {} : { cause: context.cause });
    this.code = code;
    this.hint = context.hint;
    this.data = context.data ?? {};
  }

  get exitCode(): ExitCode {
    return ERRORS[this.code].exit;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** True for an error of the catalogue, optionally of one code. */
export function isCrossfootError(error: unknown, code?: ErrorCode): error is CrossfootError {
  return error instanceof CrossfootError && (code === undefined || error.code === code);
}

/** The first error: closing resources may fail afterwards, and must not replace the first message or exit code. */
export function firstError(error: unknown): unknown {
  return error instanceof SuppressedError ? firstError(error.suppressed) : error;
}
