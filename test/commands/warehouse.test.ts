import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCsv } from '../../src/commands/actions/csv.ts';
import { addCsvCommand } from '../../src/commands/csv.ts';
import { addWarehouseCommand } from '../../src/commands/warehouse.ts';
import { dbtSources } from '../../src/warehouse/dbt.ts';
import { loadSql } from '../../src/warehouse/load-tables.ts';
import { type Ran, runCommand } from './in-process.ts';
import { openPublishedFolder, type PublishedFolder } from './published-folder.ts';

let published: PublishedFolder;
let folder: string;
let id = '';
beforeAll(async () => {
  published = await openPublishedFolder();
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-csv-'));
  ({ id } = await published.build());
});
afterAll(async () => {
  await published.close();
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

const warehouse = (...args: readonly string[]): Promise<Ran> =>
  runCommand(addWarehouseCommand, published.env, 'warehouse', ...args);
const textOf = async (...args: readonly string[]): Promise<string> =>
  (await warehouse(...args)).printed.join('\n');
const csv = (...args: readonly string[]): Promise<Ran> =>
  runCommand(addCsvCommand, published.env, 'csv', ...args);

describe('crossfoot warehouse', () => {
  it('prints the statements that load, in a schema or not, and the sources of dbt', async () => {
    expect(await textOf('postgres')).toBe(loadSql('postgres').trimEnd());
    expect(await textOf('duckdb', '--schema', 'raw')).toBe(loadSql('duckdb', 'raw').trimEnd());
    expect(await textOf('dbt')).toBe(dbtSources().trimEnd());
  });

  it('prints the query that compares with a snapshot, the newest or a named one', async () => {
    for (const asked of ['latest', id]) {
      const { printed } = await warehouse(
        'postgres',
        '--schema',
        'raw',
        '--compare',
        asked,
        '--account',
        '1',
      );
      expect(printed.join('\n')).toContain(`what snapshot ${id} holds`);
      expect(printed).toContain('    from "raw".costs');
    }
  });

  it('prints the statements that load from a delivered prefix, and refuses options without one', async () => {
    const prefix = 's3://theirs/figures';
    expect(await textOf('duckdb', '--from', prefix)).toBe(loadSql('duckdb', undefined, { prefix }).trimEnd());
    for (const args of [
      ['duckdb', '--snapshot', id],
      ['clickhouse', '--endpoint', 'https://store.example'],
      ['dbt', '--from', prefix],
      ['duckdb', '--from', prefix, '--compare', 'latest', '--account', '1'],
    ]) {
      expect((await warehouse(...args)).error).toMatchObject({ code: 'usage_invalid' });
    }
  });

  it('refuses what it cannot compare', async () => {
    expect((await warehouse('duckdb', '--compare', 'latest')).error).toMatchObject({ code: 'usage_invalid' });
    expect((await warehouse('dbt', '--schema', 'raw')).error).toMatchObject({ code: 'usage_invalid' });
    const { error } = await warehouse('duckdb', '--compare', '20200101T000000Z', '--account', '1');
    expect(error).toMatchObject({ code: 'not_found', exitCode: 1 });
  });
});

describe('crossfoot csv', () => {
  it('writes a table for programs, or for spreadsheets when asked', async () => {
    const [plain, sheet] = [join(folder, 'plain.csv'), join(folder, 'sheet.csv')];
    expect((await csv('snapshot', '--account', '1', '--to', plain)).printed).toEqual([plain]);
    const text = await readFile(plain, 'utf8');
    expect(text).toMatch(new RegExp(`^snapshot_id,schema_version,.*\r\n${id},v1,.*\r\n$`));
    await csv('snapshot', '--account', '1', '--snapshot', id, '--spreadsheet', '--to', sheet);
    expect(await readFile(sheet, 'utf8')).toBe(`\u{FEFF}${text}`);
  });

  it('writes the costs in the format of FOCUS', async () => {
    const to = join(folder, 'focus.csv');
    expect((await csv('focus', '--account', '1', '--to', to)).printed).toEqual([to]);
    const [names = '', first = ''] = (await readFile(to, 'utf8')).split('\r\n');
    expect(names).toMatch(/^BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,/);
    expect(first).toMatch(/^6000\.00,crossfoot-account-1,Halden Precision Tools,USD,2024-06-01T00:00:00Z,/);
  });

  it('leaves no part of a table that it could not write to its end', async () => {
    const to = join(folder, 'stopped.csv');
    const { signal } = new AbortController();
    // The stop comes when the file is there, and its first rows are to be written.
    signal.throwIfAborted = () => {
      if (existsSync(to)) throw new Error('stopped');
    };
    const context = {
      env: published.env,
      signal,
      print: (line: string) => expect.fail(line),
      say: () => undefined,
    };
    const options = { account: 1n, snapshot: 'latest', spreadsheet: false, to };
    await expect(writeCsv('costs', options, context)).rejects.toThrow('stopped');
    expect(await readdir(folder)).not.toContain('stopped.csv');
  });

  it('refuses an unknown table, and overwrites no file', async () => {
    const { error } = await csv('nothing', '--account', '1', '--to', join(folder, 'nothing.csv'));
    expect(error).toMatchObject({ code: 'not_found', hint: expect.stringContaining('costs') as string });
    const to = join(folder, 'kept.csv');
    await csv('snapshot', '--account', '1', '--to', to);
    expect((await csv('costs', '--account', '1', '--to', to)).error).toMatchObject({
      code: 'usage_invalid',
      exitCode: 2,
      message: `${to} must be a new file; it exists already, and csv overwrites no file.`,
      hint: 'Name another file with --to, or remove the existing file.',
    });
    const nowhere = join(folder, 'absent', 'costs.csv');
    expect((await csv('costs', '--account', '1', '--to', nowhere)).error).toMatchObject({
      exitCode: 2,
      message: `${nowhere} must be a new file; its folder does not exist.`,
    });
  });
});
