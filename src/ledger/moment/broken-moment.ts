/** What ended the reading of a moment, in the words of the catalogue: a build that fails must say why. */
import { type ClientBase, DatabaseError } from 'pg';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { NUMBER_OUT_OF_RANGE, sumBeyondDatabase } from '../../sum-limit.ts';
import { schemaDrift } from './read-types.ts';

// A standby that replays what the primary did ends statements, or sessions, that are in its way.
const IN_THE_WAY_OF_RECOVERY = /^40/;
const STATEMENT_CANCELED = '57014';
// Classes of PostgreSQL's codes: connection, resources, operator intervention.
const UNAVAILABLE = /^(?:08|53|57)/;
// No such column, function or table; another type than a statement, or a literal in it, can be used with.
const OF_ANOTHER_SCHEMA = /^(?:42(?:703|883|P01|804|846)|22P02)$/;

/** Runs it on the connection; what the database ends it with is thrown in words of the catalogue. */
export async function explainingBreaks<Result>(
  client: ClientBase,
  run: () => Promise<Result>,
): Promise<Result> {
  let lost: Error | undefined;
  // A session that is ended between two statements says why only here: the next one merely finds it gone.
  const lose = (error: Error): void => {
    lost ??= error;
  };
  client.on('error', lose);
  try {
    return await run();
  } catch (error) {
    throw inOurWords(error, lost);
  } finally {
    client.off('error', lose);
  }
}

function inOurWords(error: unknown, lost: Error | undefined): unknown {
  const cause = isCrossfootError(error, 'copy_failed') ? error.cause : error;
  const told = [cause, lost].find((each) => each instanceof DatabaseError);
  const code = told?.code ?? '';
  if (told !== undefined && IN_THE_WAY_OF_RECOVERY.test(code)) return conflict(told);
  if (told !== undefined && OF_ANOTHER_SCHEMA.test(code)) return drift(told);
  if (code === NUMBER_OUT_OF_RANGE) return sumBeyondDatabase(told);
  if (isCrossfootError(error)) return error;
  if (code === STATEMENT_CANCELED) {
    return new CrossfootError('statement_timed_out', 'A statement of the build took too long.', {
      hint: 'Nothing was published; a slow disk or an overloaded database shows here first.',
      cause: error,
    });
  }
  if (!UNAVAILABLE.test(code) && lost === undefined) return error;
  const { message } = told ?? lost ?? new Error('the connection was lost');
  return new CrossfootError('database_unreachable', `The database broke off a build: ${message}.`, {
    hint: 'Nothing was published; the next build reads everything anew.',
    data: { sqlstate: code },
    cause: error,
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
