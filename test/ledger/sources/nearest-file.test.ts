/** A command that is given a file or folder which is not there asks for the one of the most similar name. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programHere } from '../../commands/program-here.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-named-'));
  for (const name of ['bill-2026-10.csv', 'mapping.yml', 'mappings.csv', 'eurofxref-hist.zip', 'notes.txt'])
    await writeFile(join(folder, name), '');
  await mkdir(join(folder, 'pulled'));
});
afterAll(() => rm(folder, { recursive: true }));

/** No database is reached before the files are looked for. */
const UNREACHABLE = 'postgres://user@127.0.0.1:1/none';

function run(...args: readonly string[]): Promise<unknown> {
  const { program } = programHere({
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    DATABASE_URL: UNREACHABLE,
    LEDGER_URL: UNREACHABLE,
    OWNER_URL: UNREACHABLE,
  });
  return program.parseAsync(args, { from: 'user' });
}

interface Reader {
  readonly args: (name: string) => readonly string[];
  /** A name that is nearly right, and the right name. */
  readonly similar: readonly [given: string, meant: string];
  /** A name like that of a file or folder of another kind. */
  readonly other: string;
}

const inFolder = (name: string): string => join(folder, name);
const bill = (): string => inFolder('bill-2026-10.csv');

const READERS: Readonly<Record<string, Reader>> = {
  'load paths': {
    args: (path) => ['load', path],
    similar: ['bil-2026-10.csv', 'bill-2026-10.csv'],
    other: 'note.txt',
  },
  'load --focus paths': {
    args: (path) => ['load', '--focus', path, '--account', '1'],
    similar: ['BILL-2026-10.parquet', 'bill-2026-10.csv'],
    other: 'note.txt',
  },
  'load --map': {
    args: (path) => ['load', '--focus', bill(), '--account', '1', '--map', path],
    similar: ['mapping.yaml', 'mapping.yml'],
    other: 'puled',
  },
  'rates import file or url': {
    args: (path) => ['rates', 'import', path],
    similar: ['eurofxref-his.zip', 'eurofxref-hist.zip'],
    other: 'puled',
  },
  'load --columns': {
    args: (path) => ['load', bill(), '--account', '1', '--columns', path],
    similar: ['mapping.yaml', 'mapping.yml'],
    other: 'puled',
  },
  'deliver add --secret-file': {
    args: (path) => [
      'deliver',
      'add',
      's3://theirs/figures',
      '--account',
      '1',
      '--access-key',
      'a',
      '--secret-file',
      path,
    ],
    similar: ['note.txt', 'notes.txt'],
    other: 'puled',
  },
  'verify snapshot, folder or catalogue': {
    args: (path) => ['verify', path],
    similar: ['puled', 'pulled'],
    other: 'mapping.yaml',
  },
};

it.each(Object.entries(READERS))(
  '%s asks for the file that is meant',
  async (_, { args, similar, other }) => {
    const [given, meant] = similar;
    for (const [name, end] of [
      [given, `; did you mean ${inFolder(meant)}?`],
      [other, '.'],
      ['quite-another-name.csv', '.'],
      [join('nowhere', given), '.'],
    ] as const) {
      const error = await run(...args(inFolder(name))).then(() => null, String);
      expect(error, `of ${name}`).toContain(`${inFolder(name)} `);
      expect(error, `of ${name}`).toContain(end);
      expect(error?.includes('did you mean'), `of ${name}`).toBe(end !== '.');
      expect(error, `of ${name}`).not.toMatch(/ENOENT|ENOTDIR/);
    }
  },
);

/** What commands write anew, or make if it is not there. */
const WRITTEN = [
  'moment --to',
  'csv --to',
  'init folder',
  'load --rejects',
  'pull --to',
  'pull --into',
  'token issue --profile',
];

const isFile = (text: string): boolean => /\bfile|\bfolder|\bpath|<target>/.test(text);

/** The arguments and options of all commands that name a file or a folder. */
function namesOfFiles(command: Command, path: readonly string[] = []): readonly string[] {
  const named = [
    ...command.registeredArguments
      .filter((each) => isFile(each.name()))
      .map((each) => [...path, each.name()].join(' ')),
    ...command.options
      .filter(({ flags }) => isFile(/<.*>/.exec(flags)?.[0] ?? ''))
      .map(({ long }) => [...path, long].join(' ')),
  ];
  return [...named, ...command.commands.flatMap((each) => namesOfFiles(each, [...path, each.name()]))];
}

it('every command that reads a file by its name is one of these', () => {
  const read = Object.keys(READERS).filter((name) => name !== 'load --focus paths');
  expect(namesOfFiles(programHere().program).toSorted()).toEqual([...read, ...WRITTEN].toSorted());
});
