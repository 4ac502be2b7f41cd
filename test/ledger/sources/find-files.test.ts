/** Every file of a folder is loaded, refused with its reason, or named as left out. */
import { once } from 'node:events';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { FindOptions } from '../../../src/ledger/sources/find-files.ts';
import { findForeignFiles, openInputs } from '../../../src/ledger/sources/inputs.ts';
import { faultsOf } from '../load/folder.ts';
import { writeSelect } from './files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

const ROWS = 'id,name\n1,Ada\n';

async function write(name: string, content: string | Uint8Array = ROWS): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

/** How a plain load and one of FOCUS look through the folder: the names of the files, or their faults. */
const WAYS = [
  [
    'load',
    async (options: FindOptions, ...paths: readonly string[]) => (await openInputs(paths, options)).names,
  ],
  [
    'load --focus',
    async (options: FindOptions, ...paths: readonly string[]) =>
      (await findForeignFiles(paths, options)).map(({ shown }) => shown),
  ],
] as const;

const OTHERS = [
  ['part.csv.zip', 'unpack it'],
  ['rows.ndjson.gz', 'unpack it'],
  ['rows.jsonl', '.ndjson'],
  ['rows.json', '.ndjson'],
  ['rows.tsv', '.csv'],
  ['rows.txt', '.csv'],
  ['rows.xlsx', 'CSV UTF-8'],
  ['rows.csv.bak', '.parquet'],
  ['.hidden', '.parquet'],
  ['csv', '.parquet'],
] as const;

describe.each(WAYS)('%s of a folder', (_, find) => {
  it('refuses every file of another form, with the way out, and loads none of the others', async () => {
    await write('users.csv');
    for (const [name] of OTHERS) await write(name);
    const faults = await faultsOf(find({}, folder));
    expect(faults.map(({ file }) => file)).toEqual(OTHERS.map(([name]) => name).toSorted());
    for (const [name, words] of OTHERS) {
      const expected = faults.find(({ file }) => file === name)?.expected;
      expect(expected, `of ${name}`).toContain(words);
      expect(expected, `of ${name}`).toContain(`--ignore ${name}`);
    }
  });

  it('leaves out and names what --ignore matches, and the files of systems', async () => {
    await write('users.csv');
    for (const name of ['a b.zip', 'old.csv', '.DS_Store', '._users.csv', 'README.md']) await write(name);
    const notes: string[] = [];
    const ignore = ['*.zip', 'old*'];
    expect(await find({ ignore, onNote: (note) => notes.push(note) }, folder)).toEqual(['users.csv']);
    expect(notes).toEqual([
      'ignored .DS_Store, ._users.csv, README.md: no files of rows',
      'ignored a b.zip, old.csv: --ignore',
    ]);
  });

  it('follows no link out of the folder, and reads a file once that a link names, too', async () => {
    await write('users.csv');
    await symlink(join(folder, 'users.csv'), join(folder, 'latest.csv'));
    const notes: string[] = [];
    expect(await find({ onNote: (note) => notes.push(note) }, folder)).toEqual(['users.csv']);
    expect(notes).toEqual(['ignored latest.csv: links to files that are read']);
    await symlink('/nowhere', join(folder, 'gone.csv'));
    await symlink(import.meta.filename, join(folder, 'outside.csv'));
    await symlink(tmpdir(), join(folder, 'up'));
    const socket = createServer().listen(join(folder, 'pipe.csv'));
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    expect((await faultsOf(find({}, folder))).map(({ file, expected }) => [file, expected])).toEqual([
      ['gone.csv', expect.stringContaining('a link to a file that is there')],
      ['outside.csv', expect.stringContaining('leads to another folder')],
      ['pipe.csv', expect.stringContaining('a pipe')],
      ['up', expect.stringContaining('leads to another folder')],
    ]);
    await expect(find({}, join(folder, 'pipe.csv'))).rejects.toMatchObject({
      code: 'usage_invalid',
      hint: expect.stringContaining('a pipe'),
    });
  });
});

it.each(WAYS)('%s of a file whose control line cannot be read is refused', async (_, find) => {
  await write('users.csv');
  // A link to itself.
  await symlink('users.csv.control', join(folder, 'users.csv.control'));
  expect(await faultsOf(find({}, join(folder, 'users.csv')))).toMatchObject([
    { file: 'users.csv.control', expected: expect.stringContaining('a file that the system can read') },
  ]);
});

it('a plain load refuses a subfolder, also if it is named as a file; --focus reads its files', async () => {
  await write('users.csv');
  await write('data.csv/part-0000.csv');
  await write('data.csv/_SUCCESS', '');
  await write('data.csv/.part-0000.csv.crc', '');
  expect(await faultsOf(openInputs([folder]))).toMatchObject([
    { file: 'data.csv', expected: expect.stringContaining('this is a folder') },
  ]);
  const files = await findForeignFiles([folder]);
  expect(files.map(({ shown }) => shown)).toEqual(['data.csv/part-0000.csv', 'users.csv']);
});

async function read(...paths: readonly string[]): Promise<void> {
  for (const { rows } of await findForeignFiles(paths))
    for await (const row of rows({ wanted: () => true })) void row;
}

describe('the same content twice in one load is refused, naming both files', () => {
  it.each<readonly [what: string, second: () => Promise<void>, name: string]>([
    ['a copy', () => write('z.csv'), 'z.csv'],
    ['a packed copy', () => write('z.csv.gz', gzipSync(ROWS)), 'z.csv.gz'],
    ['a copy in another folder', () => write('z/a.csv'), 'z/a.csv'],
    ['another name of the file', () => link(join(folder, 'a.csv'), join(folder, 'z.csv')), 'z.csv'],
  ])('%s', async (_, second) => {
    await write('a.csv');
    await second();
    await expect(read(folder)).rejects.toThrow('content of its own: a.csv holds the same');
  });

  it('the same path twice, and a file beside its folder', async () => {
    await write('a.csv');
    await expect(read(join(folder, 'a.csv'), join(folder, 'a.csv'))).rejects.toThrow('a.csv holds the same');
    await expect(read(folder, join(folder, 'a.csv'))).rejects.toThrow('a.csv holds the same');
  });

  it('copies of JSON lines and Parquet', async () => {
    for (const name of ['a.ndjson', 'b.ndjson']) await write(name, '{"id":1}\n');
    await expect(read(folder)).rejects.toThrow('a.ndjson holds the same');
    await rm(join(folder, 'b.ndjson'));
    await writeSelect(join(folder, 'c.parquet'), 'select 1 as id');
    await writeSelect(join(folder, 'd.parquet'), 'select 1 as id');
    await expect(read(folder)).rejects.toThrow('c.parquet holds the same');
  });

  it('but files without a row may be the same, and files of other rows', async () => {
    for (const name of ['a.csv', 'b.csv']) await write(name, 'id,name\n');
    await write('c.csv', 'id,name\n1,Ada\n1,Ada\n');
    await write('d.csv');
    await expect(read(folder)).resolves.toBeUndefined();
  });
});

it('a plain load of two files of one table names both', async () => {
  await write('users.csv');
  await write('users.csv.gz', gzipSync(ROWS));
  const inputs = await openInputs([folder]);
  expect([inputs.twice, inputs.shown('users.csv')]).toEqual([['users.csv'], 'users.csv, users.csv.gz']);
});
