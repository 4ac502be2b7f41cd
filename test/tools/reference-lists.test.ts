/** The reference pages, held to the program: all that is there, nothing else, and every route answers. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/config.ts';
import { ERRORS } from '../../src/errors.ts';
import { TABLES } from '../../src/tables/all.ts';
import { LEDGER_TABLES_FILE, parseLedgerTables } from '../../tools/generate/ledger-tables.ts';
import { readArticles } from '../fixtures/article-claims.ts';
import { programHere } from '../commands/program-here.ts';
import { REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from '../../src/serve/connect/addresses.ts';
import { FAKE_SIGN_IN } from '../serve/connect/fake-sign-in.ts';
import { LATEST, bearer, fakeApp } from '../serve/fake-parts.ts';
import { type LiveCompany, openLive, tokenOf } from '../serve/live/live-company.ts';

const page = (slug: string): string =>
  readFileSync(new URL(`../../docs/reference/${slug}.md`, import.meta.url), 'utf8');

/** The first cells of the table that begins with this heading. */
function firstCells(text: string, heading: string): readonly string[] {
  const [, table = ''] = text.split(`| ${heading} |`);
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = '']) => cell);
}

/** A command and all below it, as they are typed. */
function named(command: Command, before = ''): readonly (readonly [name: string, command: Command])[] {
  const name = `${before}${command.name()}`;
  return [[name, command], ...command.commands.flatMap((each) => named(each, `${name} `))];
}

const POSTED: readonly string[] = [REGISTER_PATH, REVOKE_PATH, TOKEN_PATH];

/** The addresses that the application answers to a GET, as the documentation writes them. */
const registered = [
  ...new Set(
    fakeApp({ signIn: FAKE_SIGN_IN })
      .app.routes.filter(({ method, path }) => method === 'GET' || POSTED.includes(path))
      .map(({ path }) =>
        path
          .replace(/:file\{.*\}/, '{table}.parquet')
          .replace(/:(\w+)\{.*\\\.(\w+)\}/, '{$1}.$2')
          .replaceAll(/:(\w+)/g, '{$1}'),
      ),
  ),
];

it('the reference has every command, each with every argument and option', () => {
  const text = page('commands');
  const headings = [...text.matchAll(/^###? (.+)$/gm)].map(([, heading]) => heading);
  const commands = programHere().program.commands.flatMap((command) => named(command));
  expect(commands.length).toBeGreaterThan(30);
  expect(headings).toEqual(commands.map(([name]) => name));
  for (const [name, { options, registeredArguments }] of commands) {
    const section = text.split(new RegExp(`^###? ${name}$`, 'm'))[1]?.split(/^##/m)[0] ?? '';
    for (const { flags } of options) expect(section).toContain(`| \`${flags}\` |`);
    for (const argument of registeredArguments) expect(section).toContain(argument.name());
  }
});

it('the reference has every table of the ledger, with every column', () => {
  const text = page('ledger-tables');
  const { tables } = parseLedgerTables(
    readFileSync(new URL(`../../${LEDGER_TABLES_FILE}`, import.meta.url), 'utf8'),
  );
  expect(tables.length).toBeGreaterThan(40);
  for (const { name, columns } of tables) {
    const section = text.split(`## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
    expect(firstCells(section, 'column')).toEqual(columns.map((column) => column.name));
  }
});

it('the reference has every setting and every error, with exit code and status', () => {
  const settings = page('settings');
  for (const [name, { sentence, expected, absent }] of Object.entries(SETTINGS)) {
    expect(settings).toContain(`| \`${name}\` | ${sentence}`);
    expect(settings).toContain(`| ${expected} | ${absent} |`);
  }
  const errors = page('errors');
  for (const [code, { meaning, exit, status }] of Object.entries(ERRORS)) {
    expect(errors).toContain(`| \`${code}\` | ${meaning} | ${exit} | ${status} |`);
  }
});

it('the article of the tables lists exactly the existing tables', () => {
  const body = readArticles('articles').find(({ slug }) => slug === 'reporting-tables')?.body ?? '';
  const [, table = ''] = body.split('| table |');
  const listed = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| \[(\w+)\]/gm)].map(([, name]) => name);
  expect(listed).toEqual(TABLES.map(({ name }) => name));
});

describe('the page of routes', () => {
  const text = page('routes');
  const under = firstCells(text, 'route');
  let company: LiveCompany;
  beforeAll(async () => {
    company = await openLive();
  });
  afterAll(() => company.close());

  it('lists every route under /v1, and no other', () => {
    const routes = registered.filter((path) => path.startsWith('/v1/')).map((path) => path.slice(3));
    expect(under.toSorted()).toEqual(routes.toSorted());
  });

  it('lists every address outside /v1, and no other', () => {
    // They take a POST: a request for a page is refused.
    const posted = ['/mcp', '/delta-sharing/shares/{share}/schemas/{schema}/tables/{table}/query'];
    const outside = registered.filter((path) => !path.startsWith('/v1/') && !/.\/$/.test(path));
    expect(outside).toContain('/docs/{slug}');
    expect(new Set([...firstCells(text, 'address'), ...posted])).toEqual(new Set([...outside, ...posted]));
  });

  it.each(
    under.map((route) =>
      route
        .replace('{table}', 'costs')
        .replace(/\{(?:snapshot_id|from|to)\}/g, LATEST)
        .replace('{id}', '101')
        .replace('{dialect}', 'duckdb')
        .replace('{seq}', '1')
        .replace('{name}', 'audit.json'),
    ),
  )('names a route that is answered: %s', async (path) => {
    const answer = await company.app.request(`/v1${path}`, bearer(tokenOf(1)));
    expect(answer.status).toBe(200);
  });
});
