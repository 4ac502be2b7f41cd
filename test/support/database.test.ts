import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createDatabase } from './database.ts';

it('the drop of a database fails the test that leaves a connection open, naming it', async () => {
  const database = await createDatabase('template0');
  const leaked = new Client({ connectionString: database.adminUrl, application_name: 'forgotten' });
  // Dropping the database ends the session, which is the server's way of ending this test's own leak.
  leaked.on('error', () => undefined);
  await leaked.connect();
  await expect(database.drop(100)).rejects.toThrow('1 connections were left open: forgotten');
});

it('the drop of a database closes the connections opened through it', async () => {
  const database = await createDatabase('template0');
  await database.pool('cf_reader').query('select 1');
  await database.client('cf_reader');
  await database.admin();
  await expect(database.drop()).resolves.toBeUndefined();
});
