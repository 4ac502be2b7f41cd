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

/** Sorted by code; a test holds the order. */
export const ERRORS = {
  account_refused: {
    exit: 1,
    status: 500,
    meaning: 'An account could not be added, changed or removed: a name is taken, or months are locked.',
  },
  audit_refused: { exit: 3, status: 500, meaning: 'The audit refused the figures of a snapshot.' },
  build_died: { exit: 1, status: 500, meaning: 'A build process ended, or its error has no code.' },
  build_stopped: { exit: 1, status: 500, meaning: 'A build was told to stop before its end.' },
  client_gone: { exit: 1, status: 499, meaning: 'A client went away before its request was complete.' },
  clock_regressed: {
    exit: 1,
    status: 500,
    meaning: "The database's clock is far behind the newest snapshot.",
  },
  clocks_disagree: {
    exit: 1,
    status: 500,
    meaning: 'The clocks of database, object store and this process are over two minutes apart.',
  },
  conversion_failed: {
    exit: 1,
    status: 503,
    meaning: 'Rates or entries of an account could not be written.',
  },
  copy_cut_short: { exit: 1, status: 500, meaning: 'A COPY stream ended before its end mark.' },
  copy_extra_bytes: { exit: 1, status: 500, meaning: 'A COPY stream goes on after its end mark.' },
  copy_failed: { exit: 1, status: 503, meaning: 'A table could not be read from the database to its end.' },
  copy_field_count: {
    exit: 1,
    status: 500,
    meaning: 'A COPY row has another number of fields than its table.',
  },
  copy_field_width: { exit: 1, status: 500, meaning: 'A COPY field has another length than its type.' },
  copy_signature_wrong: { exit: 1, status: 500, meaning: 'A stream does not begin as COPY binary does.' },
  database_newer: {
    exit: 2,
    status: 503,
    meaning: 'The database was migrated by a newer version of this program.',
  },
  database_older: { exit: 2, status: 503, meaning: 'A ledger is from before the first release.' },
  database_unreachable: { exit: 1, status: 503, meaning: 'The database could not be reached.' },
  diff_unexplained: {
    exit: 1,
    status: 500,
    meaning: 'The changed rows do not explain the change of a total to the cent.',
  },
  doctor_failed: { exit: 1, status: 500, meaning: 'A check of `npx crossfoot doctor` failed.' },
  embedded_failed: { exit: 1, status: 503, meaning: 'The embedded PostgreSQL did not start or stop.' },
  embedded_in_use: {
    exit: 2,
    status: 503,
    meaning: 'Another running instance uses this data folder, and cannot share it.',
  },
  embedded_refused_user: {
    exit: 2,
    status: 503,
    meaning: 'The embedded PostgreSQL cannot run as this user on this machine.',
  },
  entries_held: {
    exit: 1,
    status: 503,
    meaning: 'Other sessions kept entries locked for longer than a conversion waits.',
  },
  figures_in_flight: {
    exit: 1,
    status: 429,
    meaning: 'Too many figures of one account are being computed at once.',
  },
  file_corrupt: { exit: 1, status: 503, meaning: 'A stored file differs from what was audited.' },
  file_unreadable: { exit: 1, status: 500, meaning: 'A file or folder to verify could not be read.' },
  form_refused: { exit: 1, status: 403, meaning: 'A form was not sent by a page of this server.' },
  generated_stale: { exit: 1, status: 500, meaning: 'A generated file does not match what it is made from.' },
  grants_missing: { exit: 2, status: 503, meaning: 'A role lacks a right that its work needs.' },
  initiative_missing: {
    exit: 1,
    status: 500,
    meaning: 'The ledger has entries of an initiative that the views leave out.',
  },
  instant_out_of_range: { exit: 1, status: 500, meaning: 'An instant is infinite or before the year 1.' },
  ledger_is_standby: { exit: 1, status: 503, meaning: 'A list needs the primary; this is a standby.' },
  ledger_locked: { exit: 1, status: 503, meaning: 'A source table is locked by another session.' },
  link_expired: { exit: 1, status: 410, meaning: 'A link or its token is no longer valid.' },
  load_rejected: { exit: 1, status: 500, meaning: 'The files to load have faults; nothing was loaded.' },
  log_older: {
    exit: 1,
    status: 503,
    meaning: 'A publish log lacks an entry that was seen before, or has another entry there.',
  },
  manifest_invalid: {
    exit: 1,
    status: 503,
    meaning: 'A stored manifest is missing, malformed, or differs from the digest in its log entry.',
  },
  marks_broken: {
    exit: 1,
    status: 503,
    meaning: 'The marks on the snapshots of an account have a gap, a fork or an edited mark.',
  },
  member_refused: { exit: 1, status: 403, meaning: 'The person is no owner or admin of the account.' },
  method_refused: { exit: 1, status: 405, meaning: 'The route does not answer this method.' },
  migration_changed: {
    exit: 2,
    status: 503,
    meaning: 'The migration files do not continue what was already applied.',
  },
  migration_failed: { exit: 1, status: 503, meaning: 'A migration file could not be applied.' },
  not_found: { exit: 1, status: 404, meaning: 'What a request names does not exist.' },
  parameter_refused: { exit: 1, status: 400, meaning: 'A parameter or its value is not accepted.' },
  parquet_failed: { exit: 1, status: 500, meaning: 'A Parquet file could not be encoded.' },
  plan_without_api: { exit: 1, status: 403, meaning: "The account's plan does not include API access." },
  precondition_failed: {
    exit: 1,
    status: 412,
    meaning: 'The precondition of a conditional request names another version than the present one.',
  },
  prune_incomplete: {
    exit: 1,
    status: 500,
    meaning: 'Prune did not finish some accounts because of a fault.',
  },
  publish_aborted: {
    exit: 1,
    status: 500,
    meaning: 'Another process, usually prune, wrote the manifest of this build before it was published.',
  },
  publish_log_broken: {
    exit: 1,
    status: 503,
    meaning: 'The publish log has a gap, a fork or an edited entry.',
  },
  pull_failed: { exit: 1, status: 500, meaning: 'A snapshot could not be pulled; a retry may succeed.' },
  pull_nothing_new: { exit: 10, status: 500, meaning: 'The snapshot to pull was there already.' },
  pull_refused: { exit: 3, status: 500, meaning: 'A snapshot was refused, retracted or corrupt.' },
  queue_unready: {
    exit: 2,
    status: 503,
    meaning: 'The tables of the build queue are missing or of another version.',
  },
  rates_changed: {
    exit: 1,
    status: 500,
    meaning: 'A file of reference rates contradicts rates that were published.',
  },
  rates_not_read: { exit: 1, status: 503, meaning: 'A source of reference rates could not be read.' },
  rates_rejected: { exit: 1, status: 500, meaning: 'A file of reference rates has faults.' },
  reporting_off: { exit: 1, status: 404, meaning: 'Reporting is off for the account.' },
  role_refused: { exit: 2, status: 503, meaning: 'A login may not take the role that its work needs.' },
  roles_unsafe: { exit: 2, status: 503, meaning: 'The database connection could see more than one account.' },
  rows_disagree: {
    exit: 1,
    status: 500,
    meaning: 'The numbers of rows sent, rows read and rows in the file differ.',
  },
  schema_breaks_promise: {
    exit: 1,
    status: 500,
    meaning: 'The published tables or API of v1 would change by more than additions.',
  },
  schema_change_untold: {
    exit: 1,
    status: 500,
    meaning: 'The published tables or API of v1 would grow without a line in schema/CHANGES.md.',
  },
  schema_drift: {
    exit: 1,
    status: 503,
    meaning: 'The ledger lacks a table, view or column that a build reads, or has it of another type.',
  },
  scrub_found_damage: {
    exit: 1,
    status: 500,
    meaning: 'Stored snapshots differ from what was audited, or could not be read.',
  },
  settings_invalid: { exit: 2, status: 500, meaning: 'Settings are missing or malformed.' },
  snapshot_expired: { exit: 1, status: 404, meaning: 'A snapshot has expired.' },
  snapshot_retracted: {
    exit: 1,
    status: 500,
    meaning: 'A snapshot was already retracted, with another reason or replacement.',
  },
  spool_failed: { exit: 1, status: 500, meaning: 'A build could not use the disk of its spool.' },
  standby_conflict: {
    exit: 1,
    status: 503,
    meaning: 'A standby cancelled a build that conflicted with the replay of changes.',
  },
  statement_timed_out: { exit: 1, status: 503, meaning: 'A statement took longer than its route may.' },
  store_checksum_mismatch: { exit: 1, status: 503, meaning: 'Bytes differ from their announced checksum.' },
  store_key_invalid: { exit: 1, status: 500, meaning: 'A key of the object store is malformed.' },
  store_object_missing: {
    exit: 1,
    status: 503,
    meaning: 'An object that must be in the store is missing or too short.',
  },
  store_object_refused: {
    exit: 1,
    status: 503,
    meaning: 'The object store has a link or another special file.',
  },
  store_object_too_large: {
    exit: 1,
    status: 503,
    meaning: 'An object in the store is larger than its kind may be.',
  },
  store_outcome_unknown: {
    exit: 1,
    status: 503,
    meaning: 'The object store gave no answer; the call may have been applied.',
  },
  store_self_test_failed: {
    exit: 1,
    status: 500,
    meaning: 'The object store does not keep the promises that publishing needs.',
  },
  store_unavailable: { exit: 1, status: 503, meaning: 'The object store refused a call.' },
  sum_too_large: {
    exit: 3,
    status: 503,
    meaning: 'A sum is larger than 2^53 - 1 cents, so it has no exact JSON number.',
  },
  table_lost_rows: { exit: 3, status: 500, meaning: 'A table shrank and a recount does not explain it.' },
  token_of_other_kind: { exit: 1, status: 403, meaning: 'An access token is not of the kind a route needs.' },
  token_refused: { exit: 1, status: 401, meaning: 'The access token is missing or not valid.' },
  token_unchecked: { exit: 1, status: 503, meaning: 'An access token could not be checked.' },
  too_many_requests: { exit: 1, status: 429, meaning: 'A caller has used up its requests for this minute.' },
  upload_differs: { exit: 1, status: 500, meaning: 'The stored bytes differ from the audited bytes.' },
  usage_invalid: { exit: 2, status: 500, meaning: 'A command was called with wrong arguments.' },
  value_infinite: { exit: 1, status: 500, meaning: 'A day or instant is infinite or out of range.' },
  value_missing: { exit: 1, status: 500, meaning: 'A column that always has a value has none.' },
  value_not_finite: { exit: 1, status: 500, meaning: 'A number is NaN or infinite.' },
  value_not_of_kind: { exit: 1, status: 500, meaning: "A value is not of its column's kind or range." },
  verify_refused: { exit: 3, status: 500, meaning: 'A stored snapshot differs from the published one.' },
  webhook_refused: {
    exit: 1,
    status: 500,
    meaning: 'The receiver of a webhook did not accept a test message.',
  },
} as const satisfies Record<string, Kind>;

export type ErrorCode = keyof typeof ERRORS;

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
