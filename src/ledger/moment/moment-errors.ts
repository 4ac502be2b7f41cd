/** Translates PostgreSQL errors during a build into the errors of the catalogue. */
import type { ClientBase, DatabaseError } from 'pg';
import { schemaDrift } from '../../database/columns.ts';
import { CrossfootError } from '../../errors.ts';
import {
  hasSqlState,
  translated,
  SessionWatch,
  SQLSTATE_CLASS,
  postgresErrorOf,
} from '../../postgres-errors.ts';

// SQLSTATEs of a statement written for another schema: unknown schema, column, function or table, or a wrong type.
const OF_ANOTHER_SCHEMA = ['3F000', '42703', '42883', '42P01', '42804', '42846', '22P02'];

/** Runs `run` on the connection and throws errors of the database as errors of the catalogue. */
export async function withPostgresErrors<Result>(
  client: ClientBase,
  run: () => Promise<Result>,
): Promise<Result> {
  // If a session ends between two statements, only an event has the reason: the next statement fails without it.
  using watch = new SessionWatch(client);
  try {
    return await run();
  } catch (error) {
    throw explained(error, watch.lost);
  }
}

function explained(error: unknown, lost: Error | undefined): unknown {
  const pgError = postgresErrorOf(error, lost);
  // A standby cancels statements or sessions that conflict with the replay of the primary's changes.
  if (hasSqlState(pgError, SQLSTATE_CLASS.transaction_rollback)) return conflict(pgError);
  if (hasSqlState(pgError, ...OF_ANOTHER_SCHEMA)) return drift(pgError);
  return translated(error, lost, {
    timedOut: (cause) =>
      new CrossfootError('statement_timed_out', 'A statement of the build took too long.', {
        hint: 'Nothing was published. The usual causes are a slow disk or an overloaded database.',
        cause,
      }),
    brokenOff: (cause, { message }) =>
      new CrossfootError('database_unreachable', `The database broke off a build: ${message}.`, {
        hint: 'Nothing was published. Build again once the database is up.',
        data: { sqlstate: pgError?.code ?? '' },
        cause,
      }),
  });
}

function conflict(cause: DatabaseError): CrossfootError {
  const { message, detail = 'no detail was given', code } = cause;
  return new CrossfootError('standby_conflict', `The standby broke off a build: ${message} (${detail})`, {
    hint: 'Nothing was published. If it happens again, set hot_standby_feedback on the standby, or a longer max_standby_streaming_delay.',
    data: { sqlstate: code },
    cause,
  });
}

function drift(cause: DatabaseError): CrossfootError {
  return schemaDrift(cause.message, { data: { sqlstate: cause.code }, cause });
}
