/**
 * The whole gate, `npm test`: each step is named as it begins, all of them run, and the last line names those that
 * failed. Leaves the counts that `.ci/run` prints in `test/.tmp/gate.json`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

const TOP = resolve(import.meta.dirname, '..');
const REPORT = 'test/.tmp/vitest.json';
const RESULT = 'test/.tmp/gate.json';

const STEPS: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['types', 'tsc', '-p', '.'],
  ['lint', 'npm', 'run', '--silent', 'lint'],
  ['format', 'npm', 'run', '--silent', 'format', '--', '--check'],
  ['dead code', 'knip', '--no-progress'],
  ['generated files', 'npm', 'run', '--silent', 'generate', '--', '--check'],
  [
    'tests',
    'vitest',
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
  ],
];

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** What vitest wrote; a run that could not even report counts as one failure. */
function testCounts(succeeded: boolean): Counts {
  const { numTotalTests: total, numPassedTests: passed } = readReport();
  // Neither passed nor failed means skipped, and the gate skips nothing; a file that cannot be loaded has no tests.
  const failed = total - passed;
  return { passed, failed: succeeded ? failed : Math.max(failed, 1) };
}

function readReport(): { numTotalTests: number; numPassedTests: number } {
  try {
    return JSON.parse(readFileSync(resolve(TOP, REPORT), 'utf8')) as ReturnType<typeof readReport>; // vitest's own shape
  } catch {
    return { numTotalTests: 1, numPassedTests: 0 };
  }
}

function say(line: string): void {
  process.stdout.write(`gate: ${line}\n`);
}

mkdirSync(resolve(TOP, 'test/.tmp'), { recursive: true });
for (const file of [REPORT, RESULT]) rmSync(resolve(TOP, file), { force: true });
// The tools are those of this clone, also when the gate is not started by npm.
const env = {
  ...process.env,
  PATH: [resolve(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
};
const counts: Counts[] = [];
const failed: string[] = [];
for (const [name, program, ...args] of STEPS) {
  say(name);
  const { status } = spawnSync(program, args, { cwd: TOP, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const succeeded = status === 0;
  const count =
    name === 'tests' ? testCounts(succeeded) : { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 };
  if (count.failed > 0) failed.push(name);
  counts.push(count);
}
const total = {
  passed: counts.reduce((sum, count) => sum + count.passed, 0),
  failed: counts.reduce((sum, count) => sum + count.failed, 0),
};
writeFileSync(resolve(TOP, RESULT), JSON.stringify(total));
say(failed.length === 0 ? `passed: all ${STEPS.length} steps` : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
