/** What ended a build's reading is said in words of the catalogue. */
import { EventEmitter } from 'node:events';
import { type ClientBase, DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { withPostgresErrors } from '../../../src/ledger/moment/moment-errors.ts';
import { outcomeOf } from '../../support/waiting.ts';

function told(code: string, message: string, detail?: string): DatabaseError {
  return Object.assign(new DatabaseError(message, 0, 'error'), { code, detail });
}

/** Runs what fails, on a connection that may have been lost just before. */
async function explained(error: Error, lost?: Error): Promise<unknown> {
  const client = new EventEmitter() as ClientBase; // only its errors are listened to
  const broken = withPostgresErrors(client, async () => {
    if (lost !== undefined) client.emit('error', lost);
    throw error;
  });
  return await outcomeOf(broken);
}

const copyOf = (cause: Error) => new CrossfootError('copy_failed', 'A table broke off.', { cause });

const CONFLICT = told(
  '40001',
  'terminating connection due to conflict with recovery',
  'User was holding a relation lock for too long.',
);

it.each<[string, Error, Error | undefined, string, string]>([
  ['a statement in the way of a standby', CONFLICT, undefined, 'standby_conflict', 'relation lock'],
  [
    'a session in its way, between statements',
    new Error('not queryable'),
    CONFLICT,
    'standby_conflict',
    'relation',
  ],
  [
    'a column that is gone',
    told('42703', 'column "x" does not exist'),
    undefined,
    'schema_drift',
    'column "x"',
  ],
  [
    'a literal that the new type of a column does not take',
    told('22P02', 'invalid input syntax for type json'),
    undefined,
    'schema_drift',
    'type json',
  ],
  [
    'a server that stops',
    told('57P01', 'terminating connection'),
    undefined,
    'database_unreachable',
    'terminating',
  ],
  [
    'a connection that is gone',
    new Error('closed'),
    new Error('read ECONNRESET'),
    'database_unreachable',
    'ECONNRESET',
  ],
  [
    'a statement for which time ran out',
    told('57014', 'canceling statement'),
    undefined,
    'statement_timed_out',
    'too long',
  ],
])('F-6, F-11, F-13: %s', async (_, error, lost, code, words) => {
  expect(await explained(error, lost)).toMatchObject({ code, message: expect.stringContaining(words) });
});

it('the error of a broken COPY has the cause that PostgreSQL gave, unless our own process broke it', async () => {
  expect(await explained(copyOf(CONFLICT))).toMatchObject({ code: 'standby_conflict' });
  expect(await explained(copyOf(told('22012', 'division by zero')))).toMatchObject({ code: 'copy_failed' });
});

it('an error that is no break stays as it is, and nothing listens after the run', async () => {
  const error = told('22012', 'division by zero');
  expect(await explained(error)).toBe(error);
  const client = new EventEmitter();
  await withPostgresErrors(client as ClientBase, async () => undefined);
  expect(client.listenerCount('error')).toBe(0);
});
