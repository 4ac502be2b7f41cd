/**
 * `npm run mutants -- --only log-,cursor- --json`: takes each safety rule out of a copy of the program, one at a
 * time, and runs the tests or schedules that must notice. Fails when one does not, when a text to replace is gone,
 * and when one of those tests fails on the program as it is.
 */
import { execFile } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { z } from 'zod';
import { graphOf, reachable } from '../house/import-rules.ts';
import { readSource } from '../house/source.ts';
import { keepCluster } from '../support/cluster.ts';
import { MUTANTS } from './all.ts';
import { type Mutant, mutate, TOP, writeTexts } from './mutant.ts';

/** The libraries are shared; the rest is no part of the program, or made by it. */
const NOT_COPIED = ['.git', 'coverage', 'data', 'node_modules'];
// All files on the program as it is take a quarter of an hour on two cores that do much else.
const LONGEST_MS = 3_600_000;
/** A test that only took too long on a machine that does much else has caught nothing. */
const PATIENCE = ['--testTimeout=400000', '--hookTimeout=600000'];
const TIMED_OUT = /(?:Test|Hook) timed out in/;
const MAX_OUTPUT = 64 * 1024 * 1024;

const run = promisify(execFile);
const report = z.object({
  numFailedTests: z.int(),
  numPassedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

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
  options: { only: { type: 'string', default: '' }, json: { type: 'boolean', default: false } },
});
const wanted = values.only.split(',');
const mutants = MUTANTS.filter(({ name }) => wanted.some((start) => name.startsWith(start)));

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs these test files of the copy and counts. */
async function test(
  copy: string,
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<z.infer<typeof report>> {
  const output = join(copy, 'report.json');
  await rm(output, { force: true });
  const args = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${output}`,
    ...PATIENCE,
    ...options,
    ...files,
  ];
  await run(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    cwd: copy,
    env: { ...process.env, ...environment },
    timeout: LONGEST_MS,
    maxBuffer: MAX_OUTPUT,
  }).catch(() => undefined); // what failed stands in the report
  return report.parse(JSON.parse(await readFile(output, 'utf8')));
}

/** Runs so many schedules of the copy. */
async function livesThrough(copy: string, schedules: number): Promise<'survived' | 'caught' | 'broken'> {
  const args = ['test/chaos/chaos.ts', '--only', 'schedules', '--times', String(schedules)];
  return run(process.execPath, args, { cwd: copy, timeout: LONGEST_MS, maxBuffer: MAX_OUTPUT }).then(
    () => 'survived',
    // A program that does not even begin ends like one that found something; only the latter names a schedule.
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
}

async function judge({ folder, kept }: Copy, mutant: Mutant, failing: ReadonlySet<string>): Promise<Outcome> {
  const { name, rule, caughtBy = [], schedules, program = 'node' } = mutant;
  const began = performance.now();
  const told = (outcome: Outcome['outcome'], failed = 0, by = ''): Outcome => {
    const seconds = Math.round((performance.now() - began) / 1000);
    return { name, rule, outcome, failed, by, seconds };
  };
  if (caughtBy.some((file) => failing.has(file))) return told('broken');
  const texts = mutate(folder, mutant);
  if (texts === null) return told('stale');
  const restore = writeTexts(folder, texts);
  try {
    if (schedules !== undefined) return told(await livesThrough(folder, schedules));
    const environment = {
      PULL_PROGRAM: program,
      ...([...texts.keys()].some(isInTemplates) ? {} : { KEPT_CLUSTER: kept }),
    };
    // One that fails is enough to know.
    const found = await test(folder, caughtBy, environment, '--bail=1');
    const { numFailedTests, numPassedTests, testResults } = found;
    const failures = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        fullName,
        said: failureMessages?.[0]?.split('\n')[0] ?? '',
      }));
    const named = failures.find(({ said }) => !TIMED_OUT.test(said));
    if (named !== undefined) return told('caught', numFailedTests, `${named.fullName}: ${named.said}`);
    return told(numFailedTests === 0 && numPassedTests > 0 ? 'survived' : 'broken', numFailedTests);
  } finally {
    restore();
  }
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
try {
  const first = await copyProgram(join(root, '0'));
  for (const [program, tested] of Map.groupBy(mutants, (mutant) => mutant.program ?? 'node')) {
    const files = [...new Set(tested.flatMap(({ caughtBy = [] }) => caughtBy))];
    say(`${tested.length} mutants, ${files.length} test files on the program as it is (${program})`);
    if (files.length === 0) continue;
    const { testResults } = await test(first, files, { PULL_PROGRAM: program });
    for (const { name, status } of testResults) {
      if (status !== 'passed') failing.add(relative(first, name));
    }
  }
  const kept = join(root, 'kept');
  await keepCluster(kept);
  for (const file of failing) say(`fails without a mutant: ${file}`);
  const waiting = mutants.values();
  const copies = Array.from({ length: availableParallelism() }, async (_, number) => {
    const folder = number === 0 ? first : await copyProgram(join(root, String(number)));
    for (const mutant of waiting) {
      const outcome = await judge({ folder, kept }, mutant, failing);
      outcomes.push(outcome);
      const { name, rule, failed, by, seconds } = outcome;
      say(`${outcome.outcome} ${name} (${failed} failed, ${seconds} s): ${rule}`);
      if (by !== '') say(`  ${by}`);
    }
  });
  await Promise.all(copies);
} finally {
  await rm(root, { recursive: true, force: true });
}
const caught = outcomes.filter(({ outcome }) => outcome === 'caught').length;
if (values.json) process.stdout.write(`${JSON.stringify({ caught, failing: [...failing], outcomes })}\n`);
else process.stdout.write(`${caught} of ${mutants.length} caught\n`);
process.exitCode = failing.size === 0 && mutants.length > 0 && caught === mutants.length ? 0 : 1;
