/** One engine for the audits of a build: none sees what another one made, and a file is read once. */
import { mkdtempDisposable, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import type { AuditEngine } from '../../../src/snapshot/audit/engine.ts';
import { type EngineSource, shareEngine } from '../../../src/snapshot/audit/shared-engine.ts';

/** Runs each of these audits in turn, in a folder with `costs.parquet`, which holds the numbers 1, 2 and 3. */
async function inTurn(
  ...audits: readonly ((engine: AuditEngine, folder: string) => Promise<void>)[]
): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'crossfoot-shared-'));
  await writeNumbers(join(folder.path, 'costs.parquet'));
  await using engines = shareEngine();
  for (const audit of audits) {
    await using engine = await engines.open(optionsOf(folder.path));
    await audit(engine, folder.path);
  }
}

function optionsOf(directory: string): Parameters<EngineSource['open']>[0] {
  return { directory, tempDirectory: join(directory, 'temp'), memoryLimit: '64MB' };
}

async function writeNumbers(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(
    `copy (select i::bigint as n from range(1, 4) numbers (i)) to '${path}' (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
}

const sumOf = async (engine: AuditEngine): Promise<string | null | undefined> =>
  (await engine.rows(`select sum(n)::varchar as sum from ${await engine.load('costs.parquet')}`))[0]?.['sum'];

/** How an audit begins. */
const BEGIN = 'create schema audited; use audited;';

test('a file is read once, also for a later audit: that one finds it although it is gone', async () => {
  await inTurn(
    async (engine, folder) => {
      expect(await sumOf(engine)).toBe('6');
      await rm(join(folder, 'costs.parquet'));
    },
    async (engine) => expect(await sumOf(engine)).toBe('6'),
  );
});

const MADE = [
  'create table made as select 1 as n',
  'create view made as select 1 as n',
  'create macro made() as table select 1 as n',
  'create temp table made as select 1 as n',
  'create temp view made as select 1 as n',
];

test.each(MADE)('the objects of an audit are not there for the next audit: %s', async (sql) => {
  const from = sql.includes('macro') ? 'made()' : 'made';
  const count = `select count(*)::varchar as rows from ${from}`;
  await inTurn(
    async (engine) => {
      await engine.run(`${BEGIN} ${sql}`);
      expect(await engine.rows(count)).toEqual([{ rows: '1' }]);
    },
    async (engine) => {
      await engine.run(BEGIN);
      await expect(engine.rows(count)).rejects.toThrow(/made/);
    },
  );
});

test.each(['left_out', 'reads'])(
  'the variable %s of an audit is not set for the next audit',
  async (name) => {
    await inTurn(
      (engine) => engine.run(`set variable ${name} = 'of the first'`),
      async (engine) => {
        expect(await engine.rows(`select getvariable('${name}') as value`)).toEqual([{ value: null }]);
      },
    );
  },
);

test('an audit whose statement failed in a transaction disturbs no other audit', async () => {
  await inTurn(
    async (engine) => {
      await engine.run(`${BEGIN} begin`);
      await expect(engine.run('select no_such_function()')).rejects.toThrow('no_such_function');
    },
    async (engine) => expect(await sumOf(engine)).toBe('6'),
  );
});

async function isConfined(engine: AuditEngine): Promise<void> {
  await engine.run(BEGIN);
  await expect(engine.run("set memory_limit = '8GB'")).rejects.toThrow('locked');
  await expect(engine.rows("select content from read_text('/etc/hostname')")).rejects.toThrow('disabled');
  expect(await engine.rows("select current_setting('TimeZone') as zone")).toEqual([{ zone: 'UTC' }]);
}

test('no audit can change a setting, or read outside of the folder, and each is in UTC', async () => {
  await inTurn(isConfined, isConfined);
});
