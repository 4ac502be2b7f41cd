/**
 * `npm run mutants -- --only log-,cursor- --json`: takes each safety rule out of a copy of the program, one at a
 * time, and runs the tests or schedules that must notice. Fails when one does not, when a text to replace is gone,
 * and when one of those tests fails on the program as it is. A run of hours can be ended and resumed with `--resume`.
 */
import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { graphOf, reachable } from '../house/import-rules.ts';
import { readSource } from '../house/source.ts';
import { keepCluster } from '../support/cluster.ts';
import { MUTANTS } from './all.ts';
import { type Mutant, type Mutants, mutate, namedMutants, TOP, writeTexts } from './mutant.ts';
import {
  type Found,
  LONGEST_MS,
  MAX_OUTPUT,
  namedFailure,
  runOnce,
  SOON_MS,
  StandingTests,
  tookTooLong,
} from './run-tests.ts';

/** The libraries are shared; the rest is no part of the program, or made by it. */
const NOT_COPIED = ['.git', 'coverage', 'data', 'node_modules'];
/** A database names the files that migrated it. After a mutant in one of them, each run migrates a new database. */
const MIGRATIONS = /^schema\/(?:ledger|views)\//;

const run = promisify(execFile);

interface Outcome {
  readonly name: string;
  readonly rule: string;
  /** `survived`: no test failed. `broken`: none got as far as failing, or one fails without the mutant, too. */
  readonly outcome: 'caught' | 'survived' | 'broken' | 'stale';
  readonly failed: number;
  /** The first test that failed, and the first line of what it said: whether it is the rule that it names. */
  readonly by: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    /** Beginnings of names, in the order in which they are to run. */
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    /** A file that gets each outcome as a line; what it says was caught is not run again. Several runs may share it. */
    resume: { type: 'string' },
    /** A JSON file of `Mutants` to try instead: faults of somebody who did not write the tests. */
    faults: { type: 'string' },
    /** How many are tried side by side. */
    copies: { type: 'string', default: String(availableParallelism()) },
    /** The tests have just passed on this program: they are not run first. */
    green: { type: 'boolean', default: false },
  },
});
const { only, json, resume, green, faults, copies: atOnce } = values;
const known =
  faults === undefined ? MUTANTS : namedMutants(JSON.parse(readFileSync(faults, 'utf8')) as Mutants);
const mutants = [
  ...new Set(only.split(',').flatMap((start) => known.filter(({ name }) => name.startsWith(start)))),
];

/** True if `resume` says that it was caught: in an earlier run, or in one beside this. */
function wasCaught({ name }: Mutant): boolean {
  if (resume === undefined || !existsSync(resume)) return false;
  const lines = readFileSync(resume, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line) as Outcome)
    .some((each) => each.name === name && each.outcome === 'caught');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs so many schedules of the copy. */
async function livesThrough(copy: string, schedules: number): Promise<'survived' | 'caught' | 'broken'> {
  const args = ['test/chaos/chaos.ts', '--only', 'schedules', '--times', String(schedules)];
  return run(process.execPath, args, { cwd: copy, timeout: LONGEST_MS, maxBuffer: MAX_OUTPUT }).then(
    () => 'survived',
    // A program that cannot start ends like a program with findings; only findings name a schedule.
    ({ stdout }: { readonly stdout?: string }) =>
      stdout?.includes('(again: npm run chaos') === true ? 'caught' : 'broken',
  );
}

const modules = globSync('{src,test}/**/*.ts', { cwd: TOP }).map((path) =>
  readSource(path, readFileSync(join(TOP, path), 'utf8')),
);
const imports = graphOf(modules, false);
const templateMakers = new Set(
  ['test/support/cluster.ts', 'test/support/company.ts'].flatMap((file) => [...reachable(imports, file)]),
);

/** True of what the databases are made of that each run begins with: such a mutant makes them anew. */
function isInTemplates(file: string): boolean {
  return templateMakers.has(file) || !file.endsWith('.ts');
}

/** One of the copies of the program that mutants are tried in, side by side. */
interface Copy {
  readonly folder: string;
  /** Where the databases are kept that each run begins with, unless its mutant changes what they are made of. */
  readonly kept: string;
  readonly standing: StandingTests;
}

async function judge(copy: Copy, mutant: Mutant, failing: ReadonlySet<string>): Promise<Outcome> {
  const { name, rule, caughtBy = [], schedules } = mutant;
  const began = performance.now();
  const told = (outcome: Outcome['outcome'], failed = 0, by = ''): Outcome => {
    const seconds = Math.round((performance.now() - began) / 1000);
    return { name, rule, outcome, failed, by, seconds };
  };
  if (caughtBy.some((file) => failing.has(file))) return told('broken');
  const texts = mutate(copy.folder, mutant);
  if (texts === null) return told('stale');
  if (schedules === undefined) await copy.standing.ready();
  const restore = writeTexts(copy.folder, texts);
  try {
    if (schedules !== undefined) return told(await livesThrough(copy.folder, schedules));
    const found = await testMutant(copy, mutant, [...texts.keys()]);
    if (found === null) return told('broken');
    const named = namedFailure(found);
    const failed = found.failures.length;
    if (named !== undefined) return told('caught', failed, `${named.fullName}: ${named.said}`);
    const late = tookTooLong(found);
    restore();
    if (late !== undefined && (await endSoon(copy, mutant, [...texts.keys()])))
      return told('caught', failed, `${late.fullName}: ${late.said}, and ends soon without the mutant`);
    return told(failed === 0 && found.passed > 0 ? 'survived' : 'broken', failed);
  } finally {
    restore();
  }
}

/** True if the tests of a mutant pass soon on the program as it is: then it is the mutant that makes them run for ever. */
async function endSoon(
  { standing }: Copy,
  { caughtBy = [] }: Mutant,
  changed: readonly string[],
): Promise<boolean> {
  await standing.ready();
  const began = performance.now();
  const found = await standing.run(caughtBy, changed);
  return found?.failures.length === 0 && found.passed > 0 && performance.now() - began < SOON_MS;
}

/**
 * One test that fails is enough. Where the tests that stand ready notice nothing, all are run once more: with their sweeps,
 * and with databases that the mutant made.
 */
async function testMutant(
  { folder, kept, standing }: Copy,
  { caughtBy = [], program }: Mutant,
  changed: readonly string[],
): Promise<Found | null> {
  if (program === undefined && !changed.some((file) => MIGRATIONS.test(file))) {
    const found = await standing.run(caughtBy, changed);
    if (found === null || namedFailure(found) !== undefined || tookTooLong(found) !== undefined) return found;
  }
  const environment = {
    PULL_PROGRAM: program ?? 'node',
    ...(changed.some(isInTemplates) ? {} : { KEPT_CLUSTER: kept }),
  };
  return runOnce(folder, caughtBy, environment, '--bail=1');
}

/** A copy of the program, with the libraries that it shares. */
async function copyProgram(folder: string): Promise<string> {
  for (const name of readdirSync(TOP).filter((entry) => !NOT_COPIED.includes(entry))) {
    await cp(join(TOP, name), join(folder, name), {
      recursive: true,
      filter: (source) => !source.includes('/test/.tmp'),
    });
  }
  await symlink(join(TOP, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const root = await mkdtemp(join(tmpdir(), 'crossfoot-mutants-'));
const outcomes: Outcome[] = [];
const failing = new Set<string>();
let caughtBefore = 0;
try {
  const first = await copyProgram(join(root, '0'));
  const unchecked = green ? [] : mutants.filter((each) => !wasCaught(each));
  for (const [program, tested] of Map.groupBy(unchecked, (mutant) => mutant.program ?? 'node')) {
    const files = [...new Set(tested.flatMap(({ caughtBy = [] }) => caughtBy))];
    say(`${tested.length} mutants, ${files.length} test files on the program as it is (${program})`);
    if (files.length === 0) continue;
    const { failedFiles } = await runOnce(first, files, { PULL_PROGRAM: program });
    for (const file of failedFiles) failing.add(file);
  }
  const kept = join(root, 'kept');
  await keepCluster(kept);
  for (const file of failing) say(`fails without a mutant: ${file}`);
  const waiting = mutants.values();
  const copies = Array.from({ length: Number(atOnce) }, async (_, number) => {
    const folder = number === 0 ? first : await copyProgram(join(root, String(number)));
    const standing = new StandingTests(folder, kept);
    try {
      for (const mutant of waiting) {
        if (wasCaught(mutant)) {
          caughtBefore += 1;
          continue;
        }
        const outcome = await judge({ folder, kept, standing }, mutant, failing);
        outcomes.push(outcome);
        if (resume !== undefined) appendFileSync(resume, `${JSON.stringify(outcome)}\n`);
        const { name, rule, failed, by, seconds } = outcome;
        say(`${outcome.outcome} ${name} (${failed} failed, ${seconds} s): ${rule}`);
        if (by !== '') say(`  ${by}`);
      }
    } finally {
      await standing.end();
    }
  });
  await Promise.all(copies);
} finally {
  await rm(root, { recursive: true, force: true });
}
const caught = caughtBefore + outcomes.filter(({ outcome }) => outcome === 'caught').length;
if (json) process.stdout.write(`${JSON.stringify({ caught, failing: [...failing], outcomes })}\n`);
else process.stdout.write(`${caught} of ${mutants.length} caught\n`);
process.exitCode = failing.size === 0 && mutants.length > 0 && caught === mutants.length ? 0 : 1;
