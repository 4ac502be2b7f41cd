/** The README, held to the program: what it says exists, and what it shows runs. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { commandNames } from '../commands/program-here.ts';
import { LATEST, bearer, fakeApp } from '../serve/fake-parts.ts';
import { type LiveCompany, openLive, tokenOf } from '../serve/live/live-company.ts';
import { type BuildHarness, openBuildHarness } from '../snapshot/build/real-build.ts';

const TOP = new URL('../../', import.meta.url);
const text = readFileSync(new URL('README.md', TOP), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('package.json', TOP), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The code blocks of a language, in their order. */
const blocks = (language: string): readonly string[] =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, of, code = '']) =>
    of === language ? [code] : [],
  );
/** The first cells of the table that begins with this heading. */
function firstCells(heading: string): readonly string[] {
  const [, table = ''] = text.split(`| ${heading} |`);
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = '']) => cell);
}

/** What the blocks show in dollars. */
const cents = (usd: unknown): number => Math.round(Number(usd) * 100);

describe('the README', () => {
  it('is short enough to be read', () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(300);
  });

  it('lists every command, and none that is not there', () => {
    const listed = firstCells('command').map((cell) => cell.replace(/ .*/, ''));
    expect(listed.toSorted()).toEqual(commandNames().toSorted());
  });

  it('lists every table, and none that is not there', () => {
    expect(firstCells('table')).toEqual(TABLES.map((table) => table.name));
  });

  it('shows only commands that exist, of npm and of the program', () => {
    const lines = blocks('sh').join('\n');
    const called = [...lines.matchAll(/npm run cli -- (\S+)/g)].map(([, command]) => command);
    expect(called.length).toBeGreaterThan(0);
    expect(called.filter((command) => !commandNames().includes(command ?? ''))).toEqual([]);
    const mentioned = [...text.matchAll(/(?:`|&& |^)npm (?:run )?([a-z]\S*?)[`\s]/gm)].map(
      ([, script]) => script,
    );
    const known = ['ci', ...Object.keys(scripts)];
    expect(mentioned.filter((script) => !known.includes(script ?? ''))).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const links = [...text.matchAll(/\]\(([^):#]+)\)/g)].map(([, path = '']) => new URL(path, TOP));
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(() => readFileSync(link)).not.toThrow(/ENOENT/);
  });
});

it('the README names every address outside /v1 that is not a file of a page', () => {
  const outside = fakeApp()
    .app.routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/v1/'))
    .map(({ path }) => path.replace(/:(\w+)\{.*\\\.(\w+)\}/, '{$1}.$2').replaceAll(/:(\w+)/g, '{$1}'))
    .filter((path) => !/\.\w+$|\/$/.test(path) || path.includes('{'));
  expect(outside).toContain('/docs/{slug}');
  expect(outside.filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
});

describe('every address in the README', () => {
  let company: LiveCompany;
  beforeAll(async () => {
    company = await openLive();
  });
  afterAll(() => company.close());

  const routes = firstCells('route').map((route) =>
    route
      .replace('{table}', 'costs')
      .replace(/\{(?:snapshot_id|from|to)\}/g, LATEST)
      .replace('{id}', '101')
      .replace('{dialect}', 'duckdb')
      .replace('{name}', 'audit.json'),
  );
  const shown = [
    ...blocks('sh')
      .join('\n')
      .matchAll(/\$BASE_URL(\/\S+)/g),
  ].map(([, path = '']) => path.replace('reported_totals', 'costs'));

  it('is one that exists, and no other exists', () => {
    const registered = fakeApp()
      .app.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/'))
      .map(({ path }) => path.slice('/v1'.length))
      .map((path) =>
        path.replace(/:(table|dialect)\{.*\\\.(\w+)\}/, '{$1}.$2').replaceAll(/:(\w+)/g, '{$1}'),
      );
    expect(firstCells('route').toSorted()).toEqual([...new Set(registered)].toSorted());
    expect(shown.length).toBeGreaterThan(2);
  });

  it.each([...routes, ...shown])('is answered: %s', async (path) => {
    const answer = await company.app.request(`/v1${path}`, bearer(tokenOf(1)));
    expect(answer.status).toBe(200);
  });
});

describe('the SQL of the README', () => {
  let harness: BuildHarness;
  let folder: string;
  beforeAll(async () => {
    [harness, folder] = await Promise.all([openBuildHarness(), mkdtemp(join(tmpdir(), 'crossfoot-readme-'))]);
    await harness.build();
    const served = await harness.served();
    for (const [name, bytes] of served?.bytes ?? []) await writeFile(join(folder, `${name}.parquet`), bytes);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await harness.close();
  });

  it('adds the portfolio’s cost up by month to what is reported for all time', async () => {
    const [statements = ''] = blocks('sql').filter((sql) => sql.includes('.parquet'));
    const [byMonth = '', byWindow = ''] = statements.split(/(?<=;)\n/);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      await connection.run(`set file_search_path = '${folder}'`);
      const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjects();
      const months = await ask(byMonth);
      expect(months.length).toBeGreaterThan(12);
      const windows = await ask(byWindow);
      const added = months.reduce((sum, month) => sum + cents(month['usd']), 0);
      const allTime = windows.filter((row) => row['window_label'] === 'All time');
      expect(allTime.map((row) => cents(row['usd']))).toEqual([added]);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });

  it('gives two logins their roles on a migrated database', async () => {
    const admin = await harness.database.admin();
    const [logins = ''] = blocks('sql').filter((sql) => sql.includes('create role'));
    await admin.query('begin');
    await admin.query(logins);
    const { rows } = await admin.query<{ reads: boolean; writes: boolean; owns: boolean }>(
      `select pg_has_role('ledger_server', 'cf_reader', 'set') as reads,
              pg_has_role('ledger_server', 'cf_service', 'set') as writes,
              pg_has_role('ledger_owner', 'cf_owner', 'set') as owns`,
    );
    // Roles belong to the whole cluster: these must not outlive the test.
    await admin.query('rollback');
    expect(rows).toEqual([{ reads: true, writes: true, owns: true }]);
  });
});
