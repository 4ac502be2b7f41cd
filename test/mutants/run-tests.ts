/** Runs test files of a copy of the program: once, or again and again in a process that stands ready. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { parentOf, sendSignal } from '../../src/processes.ts';

/** A test that only took too long on a machine that does much else has caught nothing. */
const TEST_MS = 200_000;
const HOOK_MS = 600_000;
const TOO_LONG = /(?:Test|Hook|Run) timed out in/;
/** What says nothing of a mutant: a limit of time, a process that did not start, and a full disk of the machine. */
const NO_VERDICT =
  /(?:Test|Hook|Run) timed out in|^\[vitest-pool\]|^ENOSPC:|^could not .*: No space left on device/;
// All files on the program as it is take a quarter of an hour on two cores that do much else.
export const LONGEST_MS = 3_600_000;
/** A mutant may run for ever without a pause, so that no limit of a test ends it. */
const LONGEST_MUTANT_MS = 600_000;
/** Of tests that took too long with a mutant, the longest time in which they must end without it. */
export const SOON_MS = TEST_MS / 2;
const STANDING = fileURLToPath(new URL('standing.ts', import.meta.url));
const LONGEST_END_MS = 30_000;
export const MAX_OUTPUT = 64 * 1024 * 1024;

/** What a run of tests found. */
export interface Found {
  readonly passed: number;
  /** Each test that failed, or file whose hook did, and the first line of what it said. */
  readonly failures: readonly { readonly fullName: string; readonly said: string }[];
}

/** What the process that stands ready is asked to run; paths from the top of the copy. */
export interface Request {
  readonly files: readonly string[];
  /** What changed since the request before. */
  readonly changed: readonly string[];
}

const report = z.object({
  numPassedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().nullish(),
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

/** The first failure that says something of the mutant; undefined if there is none. */
export function namedFailure({ failures }: Found): Found['failures'][number] | undefined {
  return failures.find(({ said }) => !NO_VERDICT.test(said));
}

/** The first failure that is a limit of time, if no other says anything of the mutant; undefined if there is none. */
export function tookTooLong(found: Found): Found['failures'][number] | undefined {
  return namedFailure(found) === undefined
    ? found.failures.find(({ said }) => TOO_LONG.test(said))
    : undefined;
}

/** Runs these test files of the copy, with their sweeps, in a process of their own. */
export async function runOnce(
  copy: string,
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Found & { readonly failedFiles: readonly string[] }> {
  const output = join(copy, 'report.json');
  await rm(output, { force: true });
  const args = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${output}`,
    `--testTimeout=${TEST_MS}`,
    `--hookTimeout=${HOOK_MS}`,
    ...options,
    ...files,
  ];
  await promisify(execFile)(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    cwd: copy,
    env: { ...process.env, ...environment },
    timeout: LONGEST_MS,
    maxBuffer: MAX_OUTPUT,
  }).catch(() => undefined); // what failed stands in the report
  const { numPassedTests, testResults } = report.parse(JSON.parse(await readFile(output, 'utf8')));
  return {
    passed: numPassedTests,
    failures: testResults.flatMap(({ name, message, assertionResults }) => [
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({ fullName, said: firstLine(failureMessages?.[0]) })),
      // A file that could not be read has no tests: it says nothing of the mutant.
      ...(firstLine(message) !== '' && assertionResults.length > 0
        ? [{ fullName: relative(copy, name), said: firstLine(message) }]
        : []),
    ]),
    failedFiles: testResults
      .filter(({ status }) => status !== 'passed')
      .map(({ name }) => relative(copy, name)),
  };
}

function firstLine(text: string | null | undefined): string {
  return text?.split('\n')[0] ?? '';
}

/** Runs test files of a copy, without their sweeps, in a process that stands ready, with the databases kept in `kept`. */
export class StandingTests {
  readonly #copy: string;
  readonly #kept: string;
  #child: ChildProcess | undefined;
  #before: readonly string[] = [];

  constructor(copy: string, kept: string) {
    this.#copy = copy;
    this.#kept = kept;
  }

  /** Starts the process if there is none. It starts PostgreSQL, so the copy must be the program as it is. */
  async ready(): Promise<ChildProcess> {
    return (this.#child ??= await this.#start());
  }

  /**
   * Runs these files, where those in `changed` differ from the program as it is. Stops at the first failure. Null if the
   * process ended by itself. After that, or if it took too long, the next run has a new one.
   */
  async run(files: readonly string[], changed: readonly string[]): Promise<Found | null> {
    const child = await this.ready();
    let ending: Promise<void> | undefined;
    const limit = setTimeout(() => {
      ending = endTree(child);
    }, LONGEST_MUTANT_MS);
    // What changed for the run before is as it was again.
    child.send({ files, changed: [...this.#before, ...changed] } satisfies Request);
    this.#before = changed;
    const found = await answerOf<Found>(child);
    clearTimeout(limit);
    if (found === null) this.#child = undefined;
    await ending;
    if (found !== null || ending === undefined) return found;
    return {
      passed: 0,
      failures: [{ fullName: 'all tests', said: `Run timed out in ${LONGEST_MUTANT_MS}ms` }],
    };
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.disconnect();
    const limit = setTimeout(() => child.kill(), LONGEST_END_MS);
    await exited;
    clearTimeout(limit);
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(STANDING, [String(TEST_MS), String(HOOK_MS)], {
      cwd: this.#copy,
      env: {
        ...process.env,
        PULL_PROGRAM: 'node',
        KEPT_CLUSTER: this.#kept,
        CROSSFOOT_TEST_SWEEPS: 'left-out',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    if ((await answerOf(child)) === null) throw new Error('the process that runs the tests did not start');
    return child;
  }
}

/** Ends a process and all below it: a worker that runs without a pause hears neither of its parent's end nor another signal. */
async function endTree(child: ChildProcess): Promise<void> {
  const below = await processesBelow(child.pid ?? 0);
  // First in good order, so that it stops PostgreSQL.
  const exited = once(child, 'exit');
  child.kill();
  const limit = setTimeout(() => child.kill('SIGKILL'), LONGEST_END_MS);
  await exited;
  clearTimeout(limit);
  for (const pid of below) sendSignal(pid, 'SIGKILL');
}

/** The ids of the processes below one; none where the system does not list them as files. */
async function processesBelow(pid: number): Promise<readonly number[]> {
  const all = (await readdir('/proc').catch(() => [])).map(Number).filter((id) => id > 0);
  const parents = new Map<number, number | null>();
  for (const id of all) parents.set(id, await parentOf(id));
  const below = [pid];
  for (const one of below) below.push(...all.filter((id) => parents.get(id) === one && !below.includes(id)));
  return below.slice(1);
}

/** The next message of a child; null once it has ended. */
async function answerOf<Answer>(child: ChildProcess): Promise<Answer | null> {
  return new Promise((resolve) => {
    const settle = (answer: Answer | null): void => {
      child.removeAllListeners('message').removeAllListeners('exit');
      resolve(answer);
    };
    child.once('message', (message) => settle(message as Answer));
    child.once('exit', () => settle(null));
  });
}
