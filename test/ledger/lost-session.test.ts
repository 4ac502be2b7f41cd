/** A session that the server ends below a command, as when the program stops that runs the embedded PostgreSQL. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lostSession } from '../../src/postgres-errors.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('a lost session is reported with the next step, during a statement and before the next statement', async () => {
  const [client, admin] = [await database.client('cf_owner'), await database.admin()];
  client.on('error', () => undefined);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const cut = client.query('select pg_sleep(60)').catch((error: unknown) => error);
  await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  const after = async () => client.query('select 1').catch((error: unknown) => error);
  for (const error of [await cut, await after()]) {
    expect(lostSession(error)).toMatchObject({
      code: 'database_unreachable',
      message: expect.stringMatching(/^The database ended the connection: /),
      hint: expect.stringContaining('Run the command again'),
      exitCode: 1,
    });
  }
});

it.each([
  ['a statement that was cancelled', 'set statement_timeout = 1; select pg_sleep(1)'],
  ['a statement that is wrong', 'select from nowhere'],
])('a lost session is not reported for %s', async (_, statement) => {
  const client = await database.client('cf_owner');
  const error: unknown = await client.query(statement).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Error);
  expect(lostSession(error)).toBeNull();
});
