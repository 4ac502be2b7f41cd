/** What stands between the program and PostgreSQL: sessions whose options were dropped, or that are not always the same. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClient } from '../../src/ledger/connect.ts';
import { lacking, requireOneSession, requireOptions } from '../../src/ledger/session-check.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const WANTED = {
  setting: 'LEDGER_URL',
  login: 'reader',
  role: 'cf_reader',
  applicationName: 'test',
} as const;
const AS_ASKED = { role: 'cf_reader', timezone: 'UTC', datestyle: 'ISO, MDY', app_url: '' };

it('a session passes if its options are as requested, from any source', () => {
  expect(lacking(AS_ASKED, WANTED)).toEqual([]);
  expect(lacking({ ...AS_ASKED, timezone: 'Etc/UTC', app_url: 'https://any' }, WANTED)).toEqual([]);
});

it('the check names the statements that give a login what a pooler drops', () => {
  const bare = { role: 'none', timezone: 'Europe/Vienna', datestyle: 'SQL, DMY', app_url: '' };
  expect(lacking(bare, { ...WANTED, appUrl: "https://app.example/it's" })).toEqual([
    "alter role reader set role = 'cf_reader';",
    "alter role reader set timezone = 'UTC';",
    "alter role reader set datestyle = 'ISO';",
    "alter role reader set app.app_url = 'https://app.example/it''s';",
  ]);
});

it('a session without the requested role is refused', async () => {
  const bare = new Client({ connectionString: database.url('cf_reader') });
  await bare.connect();
  await expect(requireOptions(bare, WANTED)).rejects.toMatchObject({
    code: 'role_refused',
    hint: expect.stringMatching(
      /^Set LEDGER_URL to the address of PostgreSQL itself\. .*: alter role reader set role = 'cf_reader';/,
    ),
  });
  await bare.end();
});

const open = () => openClient({ url: database.url('cf_reader'), role: 'cf_reader', applicationName: 'test' });

/** What a client of a pooler sees: a number that is none of PostgreSQL, and then a session, or two by turns. */
const behind = (sessions: readonly Client[]): Client => {
  let turn = 0;
  const query = (...args: Parameters<Client['query']>) => sessions[turn++ % sessions.length]?.query(...args);
  return { processID: -1, query } as unknown as Client;
};

it('a pooler that gives each transaction another session is refused for the owner', async () => {
  await using one = await open();
  await using other = await open();
  const direct = requireOneSession(one, 'OWNER_URL', () => Promise.reject(new Error('no second is needed')));
  expect(await direct).toBeUndefined();

  expect(await requireOneSession(behind([one]), 'OWNER_URL', open)).toBeUndefined();
  await expect(requireOneSession(behind([one, other]), 'OWNER_URL', open)).rejects.toMatchObject({
    code: 'settings_invalid',
    hint: 'Set OWNER_URL to the address of PostgreSQL itself.',
  });
});
