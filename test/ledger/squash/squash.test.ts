/**
 * The schema of the squashed migrations is that of the files before, object by object. Each is built on a server of
 * its own, because roles belong to a server. `before.sql` holds the 31 files before, each behind a line with its name.
 * This test goes with them.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startEmbedded } from '../../../src/ledger/embedded.ts';
import { migrate } from '../../../src/ledger/migrate.ts';
import { SCHEMA_FOLDER } from '../../../src/ledger/schema-folder.ts';
import { databaseUrl } from '../../support/cluster.ts';
import { OBJECTS, TABLES } from './objects.ts';

const DATABASE = 'squash';
/** What names the files themselves. */
const BOOK_ROWS = /^migration\./;

interface Found {
  readonly kind: string;
  readonly name: string;
  readonly definition: string;
}

it('is object by object the schema of the files before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-squash-'));
  try {
    const before = await describe(join(folder, 'before'), await filesBefore(join(folder, 'schema')));
    const after = await describe(join(folder, 'after'), SCHEMA_FOLDER);
    process.stdout.write(`${report(before, after).join('\n')}\n`);
    expect(differences(before, after)).toEqual([]);
    expect(before.size).toBeGreaterThan(2_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** A folder `schema` as it was, with the views of today. */
async function filesBefore(folder: string): Promise<string> {
  await mkdir(join(folder, 'ledger'), { recursive: true });
  await cp(join(SCHEMA_FOLDER, 'views'), join(folder, 'views'), { recursive: true });
  const all = await readFile(new URL('before.sql', import.meta.url), 'utf8');
  for (const part of all.split(/^-- file: /m).slice(1)) {
    const end = part.indexOf('\n');
    // The roles come first and outside the transaction, by the name that the program knows.
    const name = part.slice(0, end).replace('000-roles', '0001-roles');
    await writeFile(join(folder, 'ledger', name), part.slice(end + 1));
  }
  return folder;
}

/** Every object of a fresh server's database that these files made, and every row that they wrote. */
async function describe(dataDir: string, folder: string): Promise<Map<string, Found>> {
  const server = await startEmbedded({ dataDir, durable: false });
  const made = new Client({ connectionString: databaseUrl(server.adminUrl, DATABASE) });
  try {
    const first = new Client({ connectionString: server.adminUrl });
    await first.connect();
    await first.query(`create database ${DATABASE} template template0`);
    await first.end();
    await migrate({ adminUrl: databaseUrl(server.adminUrl, DATABASE), folder });
    await made.connect();
    // Names are then written with their schemas.
    await made.query(`set search_path = ''`);
    const objects = (await made.query<Found>(OBJECTS)).rows;
    for (const { name } of (await made.query<{ name: string }>(TABLES)).rows) {
      if (BOOK_ROWS.test(name)) continue;
      const { rows } = await made.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
      rows.forEach(({ row }, index) =>
        objects.push({ kind: 'row', name: `${name} ${index + 1}`, definition: row }),
      );
    }
    return new Map(objects.map((object) => [`${object.kind} ${object.name}`, object]));
  } finally {
    await made.end();
    await server.stop();
  }
}

function differences(before: Map<string, Found>, after: Map<string, Found>): readonly string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((name) => {
    const [old, now] = [before.get(name)?.definition, after.get(name)?.definition];
    return old === now ? [] : [`${name}\n  before: ${old}\n  after:  ${now}`];
  });
}

function report(before: Map<string, Found>, after: Map<string, Found>): readonly string[] {
  const kinds = [...new Set([...before.values(), ...after.values()].map(({ kind }) => kind))].toSorted();
  const of = (objects: Map<string, Found>, kind: string): Map<string, Found> =>
    new Map([...objects].filter(([, object]) => object.kind === kind));
  return [
    line('kind', 'before', 'after', 'different'),
    ...kinds.map((kind) => {
      const [old, now] = [of(before, kind), of(after, kind)];
      return line(kind, old.size, now.size, differences(old, now).length);
    }),
    line('all', before.size, after.size, differences(before, after).length),
  ];
}

function line(kind: string, ...figures: readonly unknown[]): string {
  return kind.padEnd(22) + figures.map((figure) => String(figure).padStart(12)).join('');
}
