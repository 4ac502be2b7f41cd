/** PostgreSQL's errors: their codes by name, and their translation into errors of the catalogue. */
import { type ClientBase, DatabaseError, type Pool, type PoolClient } from 'pg';
import { CrossfootError, isCrossfootError } from './errors.ts';
import { FREE_SPACE, FULL_DISK_CODES } from './full-disk.ts';
import { sumBeyondDatabase } from './sum-limit.ts';

/** The SQLSTATE codes that the program handles, by PostgreSQL's names. */
export const SQLSTATE = {
  deadlock_detected: '40P01',
  disk_full: '53100',
  feature_not_supported: '0A000',
  foreign_key_violation: '23503',
  insufficient_privilege: '42501',
  invalid_authorization_specification: '28000',
  invalid_catalog_name: '3D000',
  invalid_parameter_value: '22023',
  invalid_password: '28P01',
  invalid_schema_name: '3F000',
  lock_not_available: '55P03',
  numeric_value_out_of_range: '22003',
  object_not_in_prerequisite_state: '55000',
  out_of_memory: '53200',
  query_canceled: '57014',
  too_many_connections: '53300',
  undefined_column: '42703',
  undefined_function: '42883',
  undefined_object: '42704',
  undefined_table: '42P01',
  unique_violation: '23505',
} as const;

/** Classes of codes, by their first two characters. */
export const SQLSTATE_CLASS = {
  connection_exception: '08',
  data_exception: '22',
  insufficient_resources: '53',
  integrity_constraint_violation: '23',
  operator_intervention: '57',
  plpgsql_error: 'P0',
  transaction_rollback: '40',
} as const;

// The database is unavailable now.
const UNAVAILABLE = [
  SQLSTATE_CLASS.connection_exception,
  SQLSTATE_CLASS.insufficient_resources,
  SQLSTATE_CLASS.operator_intervention,
];

/** True for an error of PostgreSQL with one of these codes, or of one of these classes. */
export function hasSqlState(
  error: unknown,
  ...codes: readonly string[]
): error is DatabaseError & { readonly code: string } {
  return error instanceof DatabaseError && codes.some((code) => error.code?.startsWith(code) === true);
}

/** Records why a session was lost between two statements. Without a listener the loss would crash the process. */
export class SessionWatch implements Disposable {
  readonly #session: ClientBase;
  #lost: Error | undefined;

  constructor(session: ClientBase) {
    this.#session = session;
    session.on('error', this.lose);
  }

  /** Why the session was lost; undefined if no loss is known. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Records the reason; the first one counts. */
  readonly lose = (error: Error): void => {
    this.#lost ??= error;
  };

  [Symbol.dispose](): void {
    this.#session.off('error', this.lose);
  }
}

/** A session of a pool for one block. At its end it returns to the pool, or is closed if it was lost. */
export class PooledSession extends SessionWatch {
  readonly client: PoolClient;

  constructor(client: PoolClient) {
    super(client);
    this.client = client;
  }

  /** Rolls back; if that fails, the session counts as lost. */
  async rollback(): Promise<void> {
    await this.client.query('rollback').catch(this.lose);
  }

  override [Symbol.dispose](): void {
    super[Symbol.dispose]();
    this.client.release(this.lost);
  }
}

/** Takes a session; it waits for a free one for at most the pool's limit. */
export async function takeSession(pool: Pool): Promise<PooledSession> {
  return new PooledSession(await pool.connect());
}

/** What the driver says of a session that the server or the network has ended. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|read ECONNRESET|write EPIPE)/;

/** The error of a command whose session was lost, as when the program stops that runs the embedded PostgreSQL; else null. */
export function lostSession(error: unknown): CrossfootError | null {
  const isEnded =
    hasSqlState(error, SQLSTATE_CLASS.connection_exception, SQLSTATE_CLASS.operator_intervention) &&
    !hasSqlState(error, SQLSTATE.query_canceled);
  if (!isEnded && !(error instanceof Error && LOST.test(error.message))) return null;
  return new CrossfootError('database_unreachable', `The database ended the connection: ${error.message}.`, {
    hint: 'Run the command again: what it had not finished was rolled back. If `npx --no crossfoot start` has ended, the command starts PostgreSQL itself.',
    cause: error,
  });
}

const AGAIN = 'Then run the command again: what it had not finished was rolled back.';

/** The error of a command that had no space left, on the disk of PostgreSQL or of a file, or no memory; else null. */
export function exhaustedResource(error: unknown): CrossfootError | null {
  const refused = (message: string, hint: string): CrossfootError =>
    new CrossfootError('resources_exhausted', message, { hint, cause: error });
  if (hasSqlState(error, SQLSTATE.disk_full)) {
    return refused(
      'The disk of PostgreSQL is full.',
      `Free space on it. If the snapshots are on the same disk: ${FREE_SPACE} ${AGAIN}`,
    );
  }
  if (hasSqlState(error, SQLSTATE.out_of_memory)) {
    return refused(
      'PostgreSQL has no memory left.',
      `End other programs on its machine, or give the machine more memory. ${AGAIN}`,
    );
  }
  if (!(error instanceof Error && 'code' in error && FULL_DISK_CODES.has(String(error.code)))) return null;
  const path =
    'path' in error && typeof error.path === 'string' ? `: ${error.path} could not be written` : '';
  return refused(
    `A disk is full${path}.`,
    `Free space on the disk of that file. If the snapshots are on the same disk: ${FREE_SPACE} Then run the command again.`,
  );
}

/** The error of a command whose database was never migrated, or by another version; else null. */
export function unmigratedLedger(error: unknown): CrossfootError | null {
  const { invalid_schema_name, undefined_column, undefined_function, undefined_table } = SQLSTATE;
  if (!hasSqlState(error, invalid_schema_name, undefined_column, undefined_function, undefined_table))
    return null;
  return new CrossfootError('schema_drift', `The database lacks what this version reads: ${error.message}.`, {
    hint: 'Run npx --no crossfoot migrate of this version, with OWNER_URL.',
    cause: error,
  });
}

interface BrokenWork {
  readonly timedOut: (cause: unknown) => CrossfootError;
  /** `reason` is PostgreSQL's error, or else the driver's. */
  readonly brokenOff: (cause: unknown, reason: Error) => CrossfootError;
}

/** Translates an error of PostgreSQL or the driver into one of the catalogue; returns any other error unchanged. */
export function translated(error: unknown, lost: Error | undefined, words: BrokenWork): unknown {
  const pgError = postgresErrorOf(error, lost);
  if (hasSqlState(pgError, SQLSTATE.numeric_value_out_of_range)) return sumBeyondDatabase(pgError);
  // Our own errors need no translation.
  if (isCrossfootError(error)) return error;
  if (hasSqlState(pgError, SQLSTATE.query_canceled)) return words.timedOut(error);
  // The driver reports a lost session without an error code.
  if (!hasSqlState(pgError, ...UNAVAILABLE) && lost === undefined) return error;
  return words.brokenOff(error, pgError ?? lost ?? new Error('the connection was lost'));
}

/** The PostgreSQL error behind a failure. A COPY wraps it; a lost session may have reported it earlier. */
export function postgresErrorOf(error: unknown, lost: Error | undefined): DatabaseError | undefined {
  const cause = isCrossfootError(error, 'copy_failed') ? error.cause : error;
  return [cause, lost].find((each) => each instanceof DatabaseError);
}
