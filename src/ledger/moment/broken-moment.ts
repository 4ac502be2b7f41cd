/** What ended the reading of a moment, in the words of the catalogue: a build that fails must say why. */
import type { ClientBase, DatabaseError } from 'pg';
import { schemaDrift } from '../../database/columns.ts';
import { CrossfootError } from '../../errors.ts';
import { hasSqlState, inOurWords, SessionWatch, SQLSTATE_CLASS, toldBy } from '../../postgres-errors.ts';

// No such column, function or table; another type than a statement, or a literal in it, can be used with.
const OF_ANOTHER_SCHEMA = ['42703', '42883', '42P01', '42804', '42846', '22P02'];

/** Runs it on the connection; what the database ends it with is thrown in words of the catalogue. */
export async function explainingBreaks<Result>(
  client: ClientBase,
  run: () => Promise<Result>,
): Promise<Result> {
  // A session that is ended between two statements says why only here: the next one merely finds it gone.
  using watch = new SessionWatch(client);
  try {
    return await run();
  } catch (error) {
    throw explained(error, watch.lost);
  }
}

function explained(error: unknown, lost: Error | undefined): unknown {
  const told = toldBy(error, lost);
  // A standby that replays what the primary did ends statements, or sessions, that are in its way.
  if (hasSqlState(told, SQLSTATE_CLASS.transaction_rollback)) return conflict(told);
  if (hasSqlState(told, ...OF_ANOTHER_SCHEMA)) return drift(told);
  return inOurWords(error, lost, {
    timedOut: (cause) =>
      new CrossfootError('statement_timed_out', 'A statement of the build took too long.', {
        hint: 'Nothing was published; a slow disk or an overloaded database shows here first.',
        cause,
      }),
    brokenOff: (cause, { message }) =>
      new CrossfootError('database_unreachable', `The database broke off a build: ${message}.`, {
        hint: 'Nothing was published; the next build reads everything anew.',
        data: { sqlstate: told?.code ?? '' },
        cause,
      }),
  });
}

function conflict(cause: DatabaseError): CrossfootError {
  const { message, detail = 'no detail was given', code } = cause;
  return new CrossfootError('standby_conflict', `The standby broke off a build: ${message} (${detail})`, {
    hint: 'Nothing was published. If it comes again, set hot_standby_feedback on the standby, or a longer max_standby_streaming_delay.',
    data: { sqlstate: code },
    cause,
  });
}

function drift(cause: DatabaseError): CrossfootError {
  return schemaDrift(cause.message, { data: { sqlstate: cause.code }, cause });
}
