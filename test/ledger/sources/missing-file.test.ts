/** Files that are not there, and what lies beside files: the refusal or the remark names the way out. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findForeignFiles, openInputs } from '../../../src/ledger/sources/inputs.ts';
import { faultsOf } from '../load/folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-missing-'));
  for (const name of [
    'cost_entries.csv.gz',
    'bill-2026-10.csv',
    'readings.ndjson',
    'notes.txt',
    'q.csv',
    '.csv',
  ]) {
    await writeFile(join(folder, name), '');
  }
  await mkdir(join(folder, 'Export'));
});
afterEach(() => rm(folder, { recursive: true }));

const READERS = {
  load: (path: string) => openInputs([path]),
  'load --focus': (path: string) => findForeignFiles([path]),
};

it.each(
  Object.entries(READERS).flatMap(([name, read]) =>
    (
      [
        ['cost_entries.csv', 'cost_entries.csv.gz'],
        ['bil-2026-10.csv', 'bill-2026-10.csv'],
        ['BILL-2026-10.CSV', 'bill-2026-10.csv'],
        ['readings.json', 'readings.ndjson'],
        ['q.parquet', 'q.csv'],
        ['export', 'Export'],
        ['exprot', 'Export'],
        ['note.txt', null],
        ['quite-another-name.csv', null],
        ['.parquet', null],
        ['nowhere/cost_entries.csv', null],
      ] as const
    ).map(([given, meant]) => [name, given, meant, read] as const),
  ),
)('%s of %s, which is not there, asks for %s', async (_, given, meant, read) => {
  const end = meant === null ? '.' : `; did you mean ${folder}/${meant}?`;
  await expect(read(`${folder}/${given}`)).rejects.toMatchObject({
    code: 'usage_invalid',
    message: `${folder}/${given} is not a file or folder that can be read${end}`,
  });
});

it.each(Object.entries(READERS))(
  '%s refuses a folder that has the name of a control line',
  async (_, read) => {
    await mkdir(join(folder, 'bill-2026-10.csv.control'));
    const file = join(folder, 'bill-2026-10.csv');
    expect(await faultsOf(read(file))).toEqual([
      {
        file: 'bill-2026-10.csv.control',
        line: null,
        column: null,
        value: 'bill-2026-10.csv.control',
        expected: 'a file with a line such as rows=3,USD=100.00; this is a folder: rename it',
      },
    ]);
  },
);

it('what is no Markdown in a folder of Markdown is named as ignored', async () => {
  await mkdir(join(folder, 'own/articles/drafts'), { recursive: true });
  await writeFile(join(folder, 'own/users.csv'), 'id,name\n');
  for (const name of ['articles/a.txt', 'articles/b.csv', 'articles/drafts/c.md'])
    await writeFile(join(folder, 'own', name), '');
  const notes: string[] = [];
  await openInputs([join(folder, 'own')], { onNote: (note) => void notes.push(note) });
  expect(notes).toEqual(['ignored articles/a.txt, articles/b.csv, articles/drafts: no Markdown']);
});
