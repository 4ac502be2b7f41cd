/** The rules of rows, each over every form of file that can break it. */
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FileForm,
  JSON_FORMS,
  PARQUET_FORMS,
  TEXT_FORMS,
  type WasRead,
  endingOf,
  readAs,
  writeSelect,
} from './files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-rows-'));
});
afterAll(() => rm(folder, { recursive: true }));

const ALL = [...TEXT_FORMS, ...JSON_FORMS, ...PARQUET_FORMS];
const isJson = (form: FileForm): boolean => form.endsWith('ndjson');
const isParquet = (form: FileForm): boolean => form.endsWith('parquet');

type Cell = string | null;

/** Reads rows of the columns `a` and `b`, written in a form. */
async function read(form: FileForm, ...rows: readonly (readonly [Cell, Cell])[]): Promise<WasRead> {
  if (isParquet(form)) {
    const sql = (cell: Cell): string =>
      cell === null ? 'null::varchar' : `'${cell}'`.replaceAll('\0', "' || chr(0) || '");
    const values = rows.map(([a, b], index) => `select ${index} as n, ${sql(a)} as a, ${sql(b)} as b`);
    const select = `select a, b from (${values.join(' union all ')}) order by n`;
    await writeSelect(join(folder, `costs.${endingOf(form)}`), select);
    return await readAs(form, folder, null);
  }
  const lines = isJson(form)
    ? rows.map(([a, b]) => JSON.stringify({ a, b }))
    : ['a,b', ...rows.map(([a, b]) => `${a ?? ''},${b ?? ''}`)];
  return await readAs(form, folder, Buffer.from(`${lines.join('\n')}\n`));
}

const faultsOf = ({ rows }: WasRead) =>
  rows.flatMap(({ line, fault }) => (fault === undefined ? [] : [[line, fault.index, fault.expected]]));

it.each(ALL)('rows of %s that keep every rule are given as they are', async (form) => {
  const { rows, notes, broken } = await read(form, ['x', 'é'], [null, 'y']);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['a', 'b'],
    ['x', 'é'],
    [null, 'y'],
  ]);
  expect([faultsOf({ rows, notes, broken }), notes, broken]).toEqual([[], [], null]);
});

it.each(ALL)('empty rows at the end of %s are ignored and counted', async (form) => {
  const { rows, notes } = await read(form, ['x', 'y'], [null, null], [' ', null]);
  expect(rows).toHaveLength(2);
  expect(notes).toEqual([expect.stringMatching(/: ignored 2 empty rows at its end$/)]);
});

it.each(ALL)('an empty row in the middle of %s is refused with its line', async (form) => {
  const read_rows = await read(form, ['x', 'y'], [null, null], ['z', null]);
  const line = isJson(form) ? 2 : 3;
  expect(faultsOf(read_rows)).toEqual([[line, null, expect.stringContaining('only at the end of a file')]]);
  expect(read_rows.notes).toEqual([]);
});

it.each(ALL)('a character that no text of the ledger has is refused in each row of %s', async (form) => {
  const first = isJson(form) ? 1 : 2;
  const expected = [first, first + 1].map((line) => [line, 1, 'text without the character U+0000']);
  expect(faultsOf(await read(form, ['x', 'y\0z'], ['x', 'y\0z']))).toEqual(expected);
});

const lost = (line: number) => [[line, 1, expect.stringContaining('--encoding')]];

describe('a lost letter is refused, never stored', () => {
  it.each([...TEXT_FORMS, ...JSON_FORMS])('in %s', async (form) => {
    const text = isJson(form) ? '{"a":"x","b":"M?ller"}\n' : 'a,b\nx,M?ller\n';
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('?')] = 0xfc;
    expect(faultsOf(await readAs(form, folder, bytes))).toEqual(lost(isJson(form) ? 1 : 2));
  });

  it.each(PARQUET_FORMS)('in bytes of %s', async (form) => {
    const path = join(folder, 'costs.parquet');
    await writeSelect(path, String.raw`select 'x' as a, 'M\xFCller'::blob as b`);
    expect(faultsOf(await readAs(form, folder, null))).toEqual(lost(2));
  });
});

const found = (line: number, column: number, count: number) => [
  line,
  column,
  `2 cells as in the header, found ${count}`,
];

it.each(TEXT_FORMS)('a row of %s with more or fewer cells than the header is refused', async (form) => {
  const bytes = Buffer.from('a,b\n1,2,3\n4\n5,6\n7,8,\n');
  expect(faultsOf(await readAs(form, folder, bytes))).toEqual([
    found(2, 2, 3),
    found(3, 1, 1),
    found(5, 2, 3),
  ]);
});

it.each(TEXT_FORMS)('a last row of %s that is cut after blank cells is no empty row', async (form) => {
  for (const [rest, count] of [
    [',', 2],
    ['""', 1],
    [', ,""', 3],
    [',,,,', 5],
  ] as const) {
    const read_rows = await readAs(form, folder, Buffer.from(`a,b,c,d\n1,2,3,4\n${rest}`));
    expect(faultsOf(read_rows)).toEqual([
      [3, expect.any(Number), `4 cells as in the header, found ${count}`],
    ]);
    expect(read_rows.notes).toEqual([]);
  }
  for (const rest of ['', '\n', ' \n', ',,,\n', '"", ,,""']) {
    const { rows } = await readAs(form, folder, Buffer.from(`a,b,c,d\n1,2,3,4\n${rest}`));
    expect(rows, `after ${JSON.stringify(rest)}`).toHaveLength(2);
  }
});

it.each(TEXT_FORMS)(
  'empty columns at the end of %s are ignored and counted, if all rows leave them empty',
  async (form) => {
    const { rows, notes } = await readAs(form, folder, Buffer.from('a,b,, \n1,2,,\n3,4, ,\n'));
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(notes).toEqual([expect.stringMatching(/: ignored 2 empty columns at its end$/)]);
    expect(faultsOf(await readAs(form, folder, Buffer.from('a,b,,\n1,2,,9\n1,2,8,\n')))).toEqual([
      [2, 3, 'an empty cell: column 4 has no name in the header'],
      [3, 2, 'an empty cell: column 3 has no name in the header'],
    ]);
  },
);

it.each(TEXT_FORMS)('a column of %s has a name, and stands once, also by case and blanks', async (form) => {
  const header = async (names: string) =>
    faultsOf(await readAs(form, folder, Buffer.from(`${names}\n1,2,3\n`)));
  expect(await header('a,,b')).toEqual([[1, 1, expect.stringContaining('a name for column 2')]]);
  for (const names of ['a,b,a', 'a,b,A', 'a,b,"a "', 'A,b,a'])
    expect(await header(names)).toEqual([[1, 2, expect.stringContaining('each column once')]]);
});

it.each(JSON_FORMS)('a key of %s stands once, at every depth', async (form) => {
  const broken = async (line: string) =>
    (await readAs(form, folder, Buffer.from(`{"a":1,"b":{"c":1}}\n${line}\n`))).broken;
  const twice = [
    '{"a":1,"b":2,"a":3}',
    '{"a":1,"b":{"c":1,"c":2}}',
    String.raw`{"a":1,"b":2,"\u0061":3}`,
    '{"a":1,"b":[{"x":1},{"c":[{"d":1 , "d" :2}]}]}',
    '{"a":[1,[2]],"b":1,"a":2}',
    String.raw`{"a":"x\\","b":1,"a":2}`,
    String.raw`{"a":"x\\\"","b":1,"a":2}`,
  ];
  for (const line of twice) expect(await broken(line), `of ${line}`).toContain('each key once');
  for (const line of [
    '{"a":"a","b":{"a":{"a":1}}}',
    String.raw`{"a":"\"b\":1,\"b\":","b":[{"c":1},{"c":2}]}`,
    String.raw`{"a":"\\\"a\":1","b":"\\"}`,
  ])
    expect(await broken(line), `of ${line}`).toBeNull();
});

it.each([...JSON_FORMS, ...PARQUET_FORMS])(
  'a number of %s is marked as one, with all its digits',
  async (form) => {
    if (isParquet(form)) {
      await writeSelect(
        join(folder, 'costs.parquet'),
        `select 1.5::double as a, '1.5' as b, 12345678901234567.8901::decimal(38, 4) as c, date '2026-03-01' as d`,
      );
    }
    const line = '{"a":1.5,"b":"1.5","c":12345678901234567.8901,"d":"2026-03-01"}\n';
    const { rows } = await readAs(form, folder, isParquet(form) ? null : Buffer.from(line));
    expect(rows[1]?.cells).toEqual(['1.5', '1.5', '12345678901234567.8901', '2026-03-01']);
    expect(rows[1]?.numbers).toEqual(new Set([0, 2]));
  },
);

it.each([...JSON_FORMS, 'focus parquet'] as const)('an object and a list of %s are marked', async (form) => {
  if (isParquet(form)) {
    await writeSelect(join(folder, 'costs.parquet'), `select {'x': 1} as a, 'y' as b, [1, 2] as c, 1.5 as d`);
  }
  const line = '{"a":{"x":1},"b":"y","c":[1,2],"d":1.5}\n';
  const { rows } = await readAs(form, folder, isParquet(form) ? null : Buffer.from(line));
  expect(rows[1]?.cells.slice(0, 3)).toEqual(['{"x":1}', 'y', '[1,2]']);
  expect(rows[1]?.nested).toEqual(new Set([0, 2]));
});

const other = (form: FileForm, bytes: Buffer): Buffer => {
  const text = Buffer.from(bytes.toString('latin1').replace('x', 'w'), 'latin1');
  return form.endsWith('.gz') ? gzipSync(text) : text;
};

describe('a file that changes while it is read is refused as a whole', () => {
  const forms = ALL.filter((form) => form !== 'standard input');

  it.each(forms)('%s, written over in place, its time set back', async (form) => {
    await read(form, ['x', 'y']);
    const path = join(folder, `costs.${endingOf(form)}`);
    const meanwhile = async (): Promise<void> => {
      const { atime, mtime } = await stat(path);
      const bytes = isJson(form) ? Buffer.from('{"a":"x","b":"y"}\n') : Buffer.from('a,b\nx,y\n');
      await writeFile(path, other(form, bytes));
      await utimes(path, atime, mtime);
    };
    const { broken } = await readAs(form, folder, null, { meanwhile });
    expect(broken).toContain('stays the same while it is read');
  });

  it.each(forms)('%s, deleted', async (form) => {
    await read(form, ['x', 'y']);
    const { broken } = await readAs(form, folder, null, {
      meanwhile: () => rm(join(folder, `costs.${endingOf(form)}`)),
    });
    expect(broken).toContain('stays the same while it is read');
  });
});
