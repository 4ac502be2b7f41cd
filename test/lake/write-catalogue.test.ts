/** The two files of a catalogue, read by two engines. */
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CATALOGUE_TABLES } from '../../src/lake/catalogue-tables.ts';
import { writeDuckdb, writeSqlite } from '../../src/lake/write-catalogue.ts';
import { aLake, aVersion, rowsOfLake } from './made-lake.ts';
import { inDuckdb, rowsOf } from './published-lake.ts';

const rows = rowsOfLake(aLake([aVersion(1, { pins: ["it's closed"] }), aVersion(2)]));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-catalogue-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('both files of a catalogue have the same rows in all tables of the format, of which most are empty', async () => {
  // A folder whose name needs quoting.
  const path = join(folder, "owner's.ducklake");
  await writeDuckdb(rows, path);
  const twin_path = join(folder, 'twin.sqlite');
  writeSqlite(rows, twin_path);
  const sqlite = new DatabaseSync(twin_path, { readOnly: true });
  await inDuckdb(path.replaceAll("'", "''"), async (duckdb) => {
    for (const [table, columns] of CATALOGUE_TABLES) {
      // As DuckLake has it in SQLite: a boolean is 0 or 1.
      const cells = columns.map(({ name, type }) =>
        type === 'BOOLEAN' ? `"${name}"::int as "${name}"` : `"${name}"`,
      );
      const stored = sqlite.prepare(`select * from ${table}`);
      stored.setReadBigInts(true);
      const twin = stored
        .all()
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
          ),
        );
      const found = await rowsOf(duckdb, `select ${cells.join(', ')} from lake.${table}`);
      expect([table, found]).toEqual([table, twin]);
      expect(found).toHaveLength(rows[table]?.length ?? 0);
    }
  });
  sqlite.close();
});
