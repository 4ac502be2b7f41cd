/** `crossfoot pull` over the real line: a built snapshot, served, pulled, audited again and loaded. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseManifest } from '../../../src/client/remote-manifest.ts';
import { auditPulled } from '../../../src/commands/pull/pull-audit.ts';
import { addPullCommand } from '../../../src/commands/pull/pull.ts';
import { isCrossfootError } from '../../../src/errors.ts';
import type { Listener } from '../../../src/serve/http/server.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { TOKENS } from '../../serve/fake-parts.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { runCommand, runCommandWith } from '../in-process.ts';
import { openPublishedFolder, type PublishedFolder } from '../published-folder.ts';
import { serveFolder } from '../served-folder.ts';

let published: PublishedFolder;
let warehouse: TestDatabase;
let server: Listener;
let root: string;
let id: string;
beforeAll(async () => {
  [published, warehouse] = await Promise.all([openPublishedFolder(), createDatabase('template0')]);
  root = await mkdtemp(join(tmpdir(), 'crossfoot-pulled-'));
  ({ id } = await published.build());
  server = await serveFolder(published.objects);
});
afterAll(async () => {
  await server.close(0);
  await rm(root, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await Promise.all([published.close(), warehouse.drop()]);
});

function pull(to: string, ...args: readonly string[]) {
  const url = `http://127.0.0.1:${server.port}`;
  const env = { CROSSFOOT_TOKEN: TOKENS.personal };
  return runCommand(addPullCommand, env, 'pull', '--url', url, '--to', join(root, to), ...args);
}

/** The code of the error that it ended with. */
function codeOf({ error }: { readonly error: unknown }): string | null {
  if (error === undefined) return null;
  return isCrossfootError(error) ? error.code : error instanceof Error ? error.message : 'unforeseen';
}

/** Every value of a table as text, by this select, in one engine that reads both sides. */
async function rowsOf(select: string, file = ':memory:', before: readonly string[] = []): Promise<unknown> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    for (const each of [`set timezone = 'UTC'`, ...before]) await connection.run(each);
    return (await connection.runAndReadAll(select)).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const fileRows = (folder: string, table: string) =>
  rowsOf(`select * from '${join(root, folder, id, `${table}.parquet`)}' order by all`);

describe('crossfoot pull', () => {
  it('brings a snapshot, audits it again, and finds nothing new afterwards', async () => {
    const first = await pull('audited', '--audit');
    expect([codeOf(first), first.printed]).toEqual([null, [join(root, 'audited', id)]]);
    const names = await readdir(join(root, 'audited', id));
    expect(names).toEqual(expect.arrayContaining(['audit.json', 'audit.sql', 'control.json', 'schema.json']));
    expect(names.filter((name) => name.endsWith('.parquet'))).toHaveLength(14);
    expect(codeOf(await pull('audited', '--audit'))).toBe('pull_nothing_new');
  });

  it('shows on a terminal how many bytes are here, then each table with its rows and its size', async () => {
    const steps: unknown[] = [];
    const url = `http://127.0.0.1:${server.port}`;
    const ran = await runCommandWith(
      { follow: (...step) => steps.push(step) },
      addPullCommand,
      { CROSSFOOT_TOKEN: TOKENS.personal },
      'pull',
      '--url',
      url,
      '--to',
      join(root, 'followed'),
    );
    expect([codeOf(ran), ran.printed]).toEqual([null, [join(root, 'followed', id)]]);
    const manifest = await readFile(join(root, 'followed', id, 'manifest.json'), 'utf8');
    const { tables } = parseManifest(manifest);
    const bytes = tables.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    expect(steps.at(-1)).toEqual([null]);
    expect(steps.at(-2)).toEqual(['downloading', { bytes, of: bytes }]);
    expect(ran.said.slice(0, -2)).toEqual(
      tables.map(({ table, row_count }) =>
        expect.stringMatching(
          new RegExp(
            `^${table} +${row_count.toLocaleString('en')} row${row_count === 1 ? '' : 's'} +[\\d,]+ kB$`,
          ),
        ),
      ),
    );
    expect(ran.said.at(-2)).toMatch(/^14 tables +[\d,]+ rows +[\d,.]+ [kM]B$/);
    expect(ran.said.at(-1)).toMatch(/^pulled in [\d.]+ m?s$/);
  });

  it('loads every row into DuckDB, once, also into a file with the name of the schema', async () => {
    const file = join(root, 'figures.duckdb');
    const into = ['--into', `duckdb:${file}`, '--schema', 'figures'];
    expect(codeOf(await pull('duckdb', ...into))).toBeNull();
    for (const { name } of TABLES) {
      const loaded = await rowsOf(`select * from figures.figures.${name} order by all`, file);
      expect({ name, rows: loaded }).toEqual({ name, rows: await fileRows('duckdb', name) });
    }
    expect(codeOf(await pull('duckdb', ...into))).toBe('pull_nothing_new');
  });

  it('loads every row into PostgreSQL, in place of what was there, and keeps the views on it', async () => {
    const client = await warehouse.admin(); // the warehouse is its owner's, no database of the product
    const into = ['--into', `postgres:${warehouse.adminUrl}`, '--schema', 'figures'];
    expect(codeOf(await pull('postgres', ...into))).toBeNull();
    for (const { name, columns } of TABLES) {
      const path = join(root, `${name}.csv`);
      const { rows } = await client.query<{ line: string }>(
        `select row_to_json(t)::text as line from figures.${name} t`,
      );
      await writeFile(path, rows.map(({ line }) => line).join('\n'));
      const loaded = await rowsOf(`select * from ${asRead(path, columns)} order by all`);
      const filed = rows.length === 0 ? [] : loaded;
      expect({ name, rows: filed }).toEqual({ name, rows: await fileRows('postgres', name) });
    }
    // As a load of an older program would have left it: another snapshot, a column less, and a view.
    await client.query(`create view figures.ids as select snapshot_id from figures.costs`);
    await client.query(`update figures.snapshot set snapshot_id = 'older'`);
    await client.query(`alter table figures.costs drop column usd_amount_cents`);
    expect(codeOf(await pull('postgres', ...into))).toBeNull();
    const { rows } = await client.query<{ ids: string; cents: boolean }>(
      `select (select string_agg(distinct snapshot_id, ',') from figures.ids) as ids,
         (select sum(usd_amount_cents) > 0 from figures.costs) as cents`,
    );
    expect(rows).toEqual([{ ids: id, cents: true }]);
    expect(codeOf(await pull('postgres', ...into))).toBe('pull_nothing_new');
  });

  it.each(['duckdb', 'postgres'] as const)(
    'adds to the history in %s, once, and refuses to replace more than one snapshot',
    async (kind) => {
      const file = join(root, 'kept.duckdb');
      const client = await warehouse.admin();
      const target = kind === 'duckdb' ? `duckdb:${file}` : `postgres:${warehouse.adminUrl}`;
      const ask = async (sql: string): Promise<unknown> => {
        if (kind === 'duckdb') return await rowsOf(sql, file);
        return (await client.query({ text: sql, rowMode: 'array' })).rows.map((row: unknown[]) =>
          row.map(String),
        );
      };
      const args = [`history-${kind}`, '--into', target, '--schema', 'history'] as const;
      expect(codeOf(await pull(...args, '--history'))).toBeNull();
      // As an earlier program left it: another snapshot, a column less.
      for (const { name } of TABLES) await ask(`update history.${name} set snapshot_id = '20200101T000000Z'`);
      await ask('alter table history.costs drop column app_url');
      const second = await pull(...args, '--history');
      expect([codeOf(second), second.said.at(-1)]).toEqual([
        null,
        expect.stringMatching(/^loaded into .*schema history$/),
      ]);
      const ids = await ask('select snapshot_id from history.snapshot order by 1');
      expect(ids).toEqual([['20200101T000000Z'], [id]]);
      const counts = await ask(
        'select count(*)::int, count(app_url)::int from history.costs group by snapshot_id order by snapshot_id',
      );
      const [[rows]] = (await rowsOf(
        `select count(*)::int from '${join(root, `history-${kind}`, id, 'costs.parquet')}'`,
      )) as [[number]];
      expect(JSON.parse(JSON.stringify(counts).replaceAll('"', ''))).toEqual([
        [rows, 0],
        [rows, rows],
      ]);

      const again = await pull(...args, '--history');
      expect(codeOf(again)).toBe('pull_nothing_new');
      expect(again.said.at(-1)).toMatch(new RegExp(`^snapshot ${id} is in .*, schema history already$`));
      expect((await pull(...args)).error).toMatchObject({
        code: 'usage_invalid',
        message: 'Schema history holds 2 snapshots. A load without --history would delete them.',
      });
      expect(await ask('select snapshot_id from history.snapshot order by 1')).toEqual(ids);
    },
  );

  it('is called in the articles on DuckDB and PostgreSQL as it works, one command for each way', async () => {
    const target = {
      'load-into-duckdb': join(root, 'article.duckdb'),
      'load-into-postgresql': warehouse.adminUrl,
    };
    const ways: string[] = [];
    for (const [article, place] of Object.entries(target)) {
      const text = await readFile(new URL(`../../../docs/articles/${article}.md`, import.meta.url), 'utf8');
      for (const [, line = ''] of text.matchAll(/^npx --no crossfoot pull --url \S+ --to \S+ (.*)$/gm)) {
        const args = line.replace('warehouse.duckdb', place).replace('postgres://loader@db/warehouse', place);
        const ran = await pull(article, ...args.split(' '));
        ways.push(`${codeOf(ran) ?? 'done'}: ${line.replace(/(?:duckdb|postgres):\S+/, '<target>')}`);
      }
    }
    const loads = [
      'done: --audit --into <target>',
      'done: --audit --into <target> --history --schema crossfoot_history',
    ];
    expect(ways).toEqual(['done: --audit', ...loads, ...loads]);
  });

  it('loads all or nothing: what fails leaves the tables as they were, and the next run loads', async () => {
    const client = await warehouse.admin();
    const into = ['--into', `postgres:${warehouse.adminUrl}`, '--schema', 'refused'];
    // The last table cannot be made where a view stands in its place.
    await client.query('create schema refused');
    await client.query('create view refused.reported_totals as select 1 as one');
    expect(codeOf(await pull('refused', ...into))).not.toBeNull();
    const { rows } = await client.query(`select 1 from pg_tables where schemaname = 'refused'`);
    expect(rows).toEqual([]);
    await client.query('drop view refused.reported_totals');
    expect(codeOf(await pull('refused', ...into))).toBeNull();
  });

  it('ends with 3 and shows nothing when the server refuses', async () => {
    const { error } = await pull('nowhere', '--snapshot', '20000101T000000Z', '--audit');
    expect(isCrossfootError(error, 'pull_refused') && error.exitCode).toBe(3);
    expect((await readdir(join(root, 'nowhere'))).filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  it('stops with 3 when its audit does not find what the published one found', async () => {
    await pull('refuted', '--audit');
    const folder = join(root, 'refuted', id);
    const manifest = parseManifest(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const { signal } = new AbortController();
    expect(await auditPulled(folder, manifest, signal)).toBeUndefined();
    const report = await readFile(join(folder, 'audit.json'), 'utf8');
    await writeFile(join(folder, 'audit.json'), report.replace('"00-bytes"', '"00-others"'));
    const refused = auditPulled(folder, manifest, signal);
    await expect(refused).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining('audit.json check 1'),
    });
  });

  it.each([
    ['tables of which some are missing', ['--tables', 'costs', '--into', 'duckdb:x']],
    ['a history without a target', ['--history']],
    ['a target that is none', ['--into', 'mysql://x']],
    ['a DuckDB file in a folder that is not there', ['--into', 'duckdb:/no/such/folder/x.duckdb']],
    ['an address that is none', ['--url', 'nowhere']],
  ])('refuses %s as wrong usage', async (_, args) => {
    expect(codeOf(await pull('usage', ...args))).toBe('usage_invalid');
  });

  it('keeps its control file for people who load the files themselves', async () => {
    await pull('control');
    const control = JSON.parse(await readFile(join(root, 'control', 'latest.json'), 'utf8')) as object;
    expect(control).toMatchObject({ snapshot_id: id, folder: id, account_id: 1 });
  });
});

/** Lines of JSON, read as the columns are declared. */
function asRead(path: string, columns: (typeof TABLES)[number]['columns']): string {
  const types: Readonly<Record<string, string>> = {
    integer: 'INTEGER',
    number: 'DOUBLE',
    boolean: 'BOOLEAN',
    date: 'DATE',
    timestamp: 'TIMESTAMPTZ',
    id: 'BIGINT',
    cents: 'BIGINT',
  };
  const list = columns.map(({ name, kind }) => `${name}: '${types[kind] ?? 'VARCHAR'}'`);
  return `read_json('${path}', format = 'newline_delimited', columns = {${list.join(', ')}})`;
}
