/** The rules about single files and about the top of the house. */
import type { Source } from './source.ts';

const TOP = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'assets',
  'bin',
  'src',
  'jobs',
  'schema',
  'fixtures',
  'test',
  'docs',
  'deploy',
  'tools',
  'Dockerfile',
  'compose.yaml',
  'README.md',
  'LICENSE',
];
/** Made here and never committed, also by the commands of the README: a newcomer types them before `npm test`. */
const UNCOMMITTED = [
  'node_modules',
  'data',
  'coverage',
  'own',
  'secrets',
  'costs.parquet',
  'reported_totals.parquet',
];
const MAX_LINES = 300;
/** What a person takes in at a glance. */
const MAX_FILES = 30;
const HOMELESS = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'types', 'lib', 'misc', 'shared']);

/** Nothing lies at the top that the architecture does not name. */
export function refuseStrangersAtTheTop(names: readonly string[]): string[] {
  return names
    .filter((name) => !name.startsWith('.') && !TOP.includes(name) && !UNCOMMITTED.includes(name))
    .map((name) => `${name}: has no place at the top`);
}

/** Files that run in the order of their numbers have a number each: two of one number would run in that of their names. */
export function refuseSharedNumbers(paths: readonly string[]): string[] {
  const numbered = paths.flatMap((path) => /^(?<number>.*\/\d+)-/.exec(path)?.groups?.['number'] ?? []);
  return [...new Set(numbered.filter((number, index) => numbered.indexOf(number) !== index))].map(
    (number) => `${number}: is the number of two files`,
  );
}

/** A file or folder is named for its idea, in kebab-case, or as the table or resource it declares. */
export function refuseNames(files: readonly Source[]): string[] {
  return files.flatMap(({ path }) => {
    const parts = path.replace(/(?:\.property|\.sweep)?(?:\.test|\.config)?\.ts$/, '').split('/');
    const faults = parts
      .filter((part) => HOMELESS.has(part))
      .map((part) => `${path}: "${part}" names no idea`);
    const name = parts.at(-1) ?? '';
    return /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(name) ? faults : [...faults, `${path}: is not in kebab-case`];
  });
}

/** A generated file, not for reading: `npm run generate` makes it of the migrated schema. */
const GENERATED = 'src/database/schema.ts';

/** A file past 300 lines has a second idea in it. */
export function refuseLongFiles(files: readonly Source[]): string[] {
  return files
    .filter((file) => file.lines > MAX_LINES && file.path !== GENERATED)
    .map((file) => `${file.path}: has ${file.lines} lines, ${MAX_LINES} at most`);
}

/** A room with more than 30 files is two rooms. */
export function refuseCrowdedRooms(files: readonly Source[]): string[] {
  return [...Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')))]
    .filter(([, room]) => room.length > MAX_FILES)
    .map(([path, room]) => `${path}/: holds ${room.length} files, ${MAX_FILES} at most`);
}

/** A property with so few runs is slow: a shrink would repeat it until the test times out, and hide what failed. */
const MAX_SLOW_RUNS = 30;

/** A slow property stops at its first failure, and prints it. */
export function refuseSlowShrinks(files: readonly Source[]): string[] {
  const options = /\{ [^{}]*\bnumRuns : (?<runs>[\d_]+)[^{}]*\}/g;
  return files.flatMap(({ path, code }) =>
    [...code.matchAll(options)]
      .filter(
        ([text, runs]) =>
          Number(runs?.replaceAll('_', '')) <= MAX_SLOW_RUNS && !/\bendOnFailure : true\b/.test(text),
      )
      .map(([, runs]) => `${path}: a property of ${runs} runs must set endOnFailure: true`),
  );
}

/** Every test runs, in every run. */
export function refuseSkippedTests(files: readonly Source[]): string[] {
  const skipping =
    /\b(?:it|test|describe|bench) (?:\. \w+ )*?\. (?:skip|only|todo|fails|skipIf|runIf)\b|\b(?:xit|fit|xdescribe|fdescribe) \(/;
  return files
    .filter((file) => file.path.startsWith('test/') && skipping.test(file.code))
    .map((file) => `${file.path}: has a test that does not run, or keeps others from running`);
}

/**
 * A file is found by `fileURLToPath`: the path of an address has `%20` for a blank, and a clone may lie in any folder. By
 * name, since no type tells the address of a file from that of a page.
 */
export function refusePathsOfAddresses(files: readonly Source[]): string[] {
  const found =
    /import \. meta \. url \) \. pathname|\b(?:[A-Z_]{3,}|root|top) \. pathname|, (?:[A-Z_]{3,}|root|top) \) \. pathname/;
  return files
    .filter(({ code }) => found.test(code))
    .map(({ path }) => `${path}: takes the path of an address for that of a file`);
}

/**
 * The declarations of tables give a snapshot's cells their types. A cell that is read by text, cast or replaced by 0 would show
 * a figure that the file does not have.
 */
export function refuseUntypedCells(files: readonly Source[]): string[] {
  const readsRows = /(?:^|\/)(?:snapshot\/read\/rows|snapshot-[a-z-]+)\.ts$/;
  const found = /\b[a-z]\w*(?: \?\.)? \[ "\d+" \]|\bBigInt \( [^()]*\?\? 0n? \)|\bas unknown as\b/;
  return files
    .filter(
      ({ path, imports }) =>
        path.startsWith('src/serve/') && imports.some(({ from }) => readsRows.test(from)),
    )
    .filter(({ code }) => found.test(code))
    .map(({ path }) => `${path}: reads a cell of a snapshot without the type of its column`);
}

/** A cache has its size in the budget, in bytes; one of a single value needs none. */
export function refuseUnbudgetedCaches(files: readonly Source[]): string[] {
  const made = /\bnew Cache\b.*?\} \)/g;
  const sized =
    /\bmax_bytes : (?:MEMORY|DISK)_BUDGET \.|\bmax_bytes ,|\bmax_entries : 1 [,}]|\.\.\. limits\b/;
  return files
    .filter(({ path }) => path.startsWith('src/'))
    .filter(({ code }) => [...code.matchAll(made)].some(([call]) => !sized.test(call)))
    .map(({ path }) => `${path}: makes a cache whose size is not in src/cache-budget.ts`);
}

/** A session that PostgreSQL ends tells its client, and a client without a listener ends the program. */
export function refuseUnheardSessions(files: readonly Source[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/'))
    .filter(({ code, texts }) => {
      const heard = [...code.matchAll(/\. on \( "(\d+)"/g)].filter(([, n]) => texts[Number(n)] === 'error');
      return [...code.matchAll(/\bnew (?:Client|Pool) \(/g)].length > heard.length;
    })
    .map(({ path }) => `${path}: opens a session without a listener of its errors`);
}
