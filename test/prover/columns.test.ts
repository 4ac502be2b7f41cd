/** Columns of a file of several row groups, as the proof reads them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { readColumns } from '../../src/prover/columns.ts';
import { withFolder } from '../parquet/temporary-folder.ts';

/** DuckDB's smallest row group has 2,048 rows: two whole ones, and one with the rest. */
const ROWS = 5_000;
let file: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  file = await withFolder(async (folder) => {
    const path = join(folder, 'rows.parquet');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(
      `copy (
         select i::bigint as id, date '1970-01-01' - 1 + i::int as day, 'text ' || i as name,
           make_timestamp(i - 1) as moment, case when i % 2 = 0 then i::bigint end as even
         from range(${ROWS}) as rows(i) order by i
       ) to '${path}' (format parquet, compression zstd, row_group_size 2048)`,
    );
    connection.closeSync();
    instance.closeSync();
    return new Uint8Array(await readFile(path));
  });
});

describe('the columns of a file', () => {
  it('are read one row group at a time, each row once and in its order', async () => {
    const ids: unknown[] = [];
    const groups: number[] = [];
    const cells: unknown[] = [];
    for await (const { rows, columns } of readColumns(file, ['id', 'day', 'moment', 'name', 'even'])) {
      groups.push(rows);
      ids.push(...Array.from(columns.id));
      const { id, day, moment, name, even } = columns;
      cells.push([id[0], day[0], moment[0], name[0], even[0] ?? null], [even[1] ?? null]);
    }
    expect([groups.length, groups.reduce((sum, rows) => sum + rows)]).toEqual([3, ROWS]);
    expect(ids).toEqual(Array.from({ length: ROWS }, (_, at) => BigInt(at)));
    const second = groups[0] ?? 0;
    // Days and microseconds as they are stored, before 1970 too.
    expect(cells.slice(0, 3)).toEqual([
      [0n, -1, -1n, 'text 0', 0n],
      [null],
      [BigInt(second), second - 1, BigInt(second - 1), `text ${second}`, BigInt(second)],
    ]);
  });

  it('are read of bytes that lie within others, and refused where the file lacks one', async () => {
    const within = new Uint8Array(file.length + 8);
    within.set(file, 5);
    let rows = 0;
    for await (const group of readColumns(within.subarray(5, 5 + file.length), ['id'])) rows += group.rows;
    expect(rows).toBe(ROWS);
    await expect(readColumns(file, ['id', 'cents']).next()).rejects.toThrow('has no column cents');
  });
});
