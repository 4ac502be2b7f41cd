import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseTypes, databaseTypesHead, TYPES } from '../../tools/generate/database-types.ts';
import { LEDGER_TABLES_FILE, ledgerTablesText } from '../../tools/generate/ledger-tables.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const ROOT = new URL('../../', import.meta.url);

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

it('the types of the migrated database are those in src/database/schema.ts', async () => {
  const written = await readFile(new URL('src/database/schema.ts', ROOT), 'utf8');
  expect(await databaseTypes(owner, await databaseTypesHead(ROOT))).toBe(written);
});

it('the tables of the migrated ledger are those in schema/ledger.tables.json', async () => {
  const written = await readFile(new URL(LEDGER_TABLES_FILE, ROOT), 'utf8');
  expect(await ledgerTablesText(owner, ROOT)).toBe(written);
});

/** A value of each type of PostgreSQL, and what JavaScript calls what is read of it. */
const SAMPLES: Readonly<Record<string, readonly [sql: string, is: (value: unknown) => boolean]>> = {
  bigint: ['1', (value) => typeof value === 'bigint'],
  boolean: ['true', (value) => typeof value === 'boolean'],
  Buffer: [String.raw`'\x00'`, (value) => value instanceof Buffer],
  number: ['1', (value) => typeof value === 'number'],
  string: ['1', (value) => typeof value === 'string'],
  unknown: [`'{}'`, (value) => typeof value === 'object'],
  void: ['', (value) => value === ''],
};
const SQL: Readonly<Record<string, string>> = {
  date: 'current_date',
  timestamp: 'localtimestamp',
  timestamptz: 'now()',
  uuid: 'gen_random_uuid()',
  void: 'pg_sleep(0)',
  xid8: 'pg_current_xact_id()',
};

const readSample = async (type: string, wrap: (text: string) => string): Promise<unknown> => {
  const text = SQL[type] ?? `${SAMPLES[TYPES[type] ?? '']?.[0]}::${type}`;
  return (await owner.query<{ value: unknown }>(`select ${wrap(text)} as value`)).rows[0]?.value;
};

it.each(Object.entries(TYPES))('a value of %s is read as %s', async (type, read) => {
  expect(await readSample(type, (text) => text)).toSatisfy(SAMPLES[read]?.[1] ?? (() => false));
});

// Of these alone there are columns of arrays.
it.each(['int8', 'text'])('an array of %s is read as one of its values', async (type) => {
  const is = SAMPLES[TYPES[type] ?? '']?.[1] ?? (() => false);
  const array = await readSample(type, (text) => `array[${text}]`);
  expect(array).toHaveLength(1);
  expect((array as unknown[])[0]).toSatisfy(is);
});

it('the columns of a view are reported with their nullability and the texts they may contain', async () => {
  const admin = await database.admin();
  await admin.query(`
    create view reporting.tried as
    with named as (select id, name from ledger.users)
    select i.id, i.title, i.stage, i.owner_id, u.id as user_id, coalesce(u.name, 'nobody') as owner_name,
      case when i.owner_id is null then 'none' else 'one' end as owners, i.stage = 'live' as is_live,
      i.owner_id = 1 as is_first, exists (select) as there, n.id as named_id, upper(i.title) as upper_title,
      (select 1) as selected, i.started_at::timestamptz as started_at, i.created_at::timestamptz as created_at
    from ledger.initiatives i
    join named n on n.id = i.id
    left join ledger.users u on u.id = i.owner_id;
    create view reporting.tried_again as
    select id, user_id, owners from reporting.tried union all select 1, 2, 'many'`);
  const text = await databaseTypes(owner, '');
  const of = (view: string) =>
    text
      .split(`'reporting.${view}': {\n`)[1]
      ?.split('  };')[0]
      ?.split('\n')
      .map((line) => line.trim());
  expect(of('tried')).toEqual([
    'id: bigint;',
    'title: string;',
    "stage: 'identified' | 'reviewing' | 'implementing' | 'live' | 'paused' | 'completed' | 'rejected' | 'dismissed';",
    'owner_id: bigint | null;',
    // The optional side of an outer join.
    'user_id: bigint | null;',
    'owner_name: string;',
    "owners: 'none' | 'one';",
    'is_live: boolean;',
    'is_first: boolean | null;',
    'there: boolean;',
    'named_id: bigint;',
    // Of functions and scalar queries nothing is known.
    'upper_title: string | null;',
    'selected: number | null;',
    'started_at: bigint | null;',
    'created_at: bigint;',
    '',
  ]);
  expect(of('tried_again')).toEqual([
    'id: bigint;',
    'user_id: bigint | null;',
    "owners: 'none' | 'one' | 'many';",
    '',
  ]);
});
