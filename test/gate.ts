/**
 * The whole gate, `npm test`: its checks run one after the other beside the tests, and what a check prints stands under
 * its name. All of them run, and the last line names those that failed. `npm test -- --sweeps` runs what `npm test`
 * leaves out, and nothing else: tests that try one rule at every place, which take minutes. Leaves the counts that
 * `.ci/run` prints in `test/.tmp/gate.json`.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const TOP = resolve(import.meta.dirname, '..');
const REPORT = 'test/.tmp/vitest.json';
const RESULT = 'test/.tmp/gate.json';
const { sweeps } = parseArgs({ options: { sweeps: { type: 'boolean', default: false } } }).values;

const CHECKS: readonly (readonly [name: string, command: string])[] = sweeps
  ? []
  : [
      ['types', 'tsc -p .'],
      ['lint', 'npm run --silent lint'],
      ['format', 'npm run --silent format -- --check'],
      ['dead code', 'knip --no-progress'],
      ['generated files', 'npm run --silent generate -- --check'],
    ];
const TESTS = [
  'vitest run --config test/vitest.config.ts',
  `--reporter=default --reporter=json --outputFile.json=${REPORT}`,
  // In a file that has other tests too, the sweeps are the only ones that run.
  ...(sweeps
    ? ['--allowOnly', '--hideSkippedTests', ...filesWithSweeps()]
    : [`--exclude 'test/**/*.sweep.test.ts'`]),
].join(' ');

function filesWithSweeps(): string[] {
  const importing = /^import .*\/sweeps\.ts';$/m;
  return globSync('test/**/*.test.ts', { cwd: TOP }).filter(
    (path) => path.endsWith('.sweep.test.ts') || importing.test(readFileSync(resolve(TOP, path), 'utf8')),
  );
}

interface Counts {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
}

// The tools are those of this clone, also when the gate is not started by npm.
const env = {
  ...process.env,
  PATH: [resolve(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  CROSSFOOT_TEST_SWEEPS: sweeps ? 'alone' : 'left-out',
};

/** Runs a command in the shell; gives whether it succeeded and what it printed, unless that went to the terminal. */
async function run(command: string, output: 'pipe' | 'inherit'): Promise<[succeeded: boolean, said: string]> {
  const child = spawn(`${command}${output === 'pipe' ? ' 2>&1' : ''}`, {
    cwd: TOP,
    env,
    shell: true,
    stdio: ['ignore', output, 'inherit'],
  });
  const ended = new Promise<boolean>((done, failed) => {
    child.once('error', failed).once('close', (status) => done(status === 0));
  });
  const said = child.stdout === null ? '' : await text(child.stdout);
  return [await ended, said];
}

async function runChecks(): Promise<readonly Counts[]> {
  const counts: Counts[] = [];
  for (const [name, command] of CHECKS) {
    const [succeeded, said] = await run(command, 'pipe');
    say(`${name}: ${succeeded ? 'passed' : 'failed'}`);
    process.stdout.write(said);
    counts.push({ name, passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 });
  }
  return counts;
}

/** Counts the tests; a run that could not even report counts as one failure. */
async function runTests(): Promise<Counts> {
  const [succeeded] = await run(TESTS, 'inherit');
  const { numTotalTests: total, numPassedTests: passed, numPendingTests: others } = readReport();
  // Neither passed nor failed means skipped. Beside the sweeps are the tests of `npm test`; that skips nothing.
  const failed = total - passed - (sweeps ? others : 0);
  // A file that cannot be loaded has no tests.
  return { name: sweeps ? 'sweeps' : 'tests', passed, failed: succeeded ? failed : Math.max(failed, 1) };
}

interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numPendingTests: number;
}

function readReport(): Report {
  try {
    return JSON.parse(readFileSync(resolve(TOP, REPORT), 'utf8')) as Report; // vitest's own shape
  } catch {
    return { numTotalTests: 1, numPassedTests: 0, numPendingTests: 0 };
  }
}

function say(line: string): void {
  process.stdout.write(`gate: ${line}\n`);
}

mkdirSync(resolve(TOP, 'test/.tmp'), { recursive: true });
for (const file of [REPORT, RESULT]) rmSync(resolve(TOP, file), { force: true });
const [checks, tests] = await Promise.all([runChecks(), runTests()]);
const counts = [...checks, tests];
const total = {
  passed: counts.reduce((sum, count) => sum + count.passed, 0),
  failed: counts.reduce((sum, count) => sum + count.failed, 0),
};
writeFileSync(resolve(TOP, RESULT), JSON.stringify(total));
const failed = counts.filter((count) => count.failed > 0).map(({ name }) => name);
say(failed.length === 0 ? `passed: all ${counts.length} steps` : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
