/**
 * A vitest that stands ready between mutants: it starts PostgreSQL once, and reads again only the files that changed. It
 * runs as a process of its own in a copy of the program (`run-tests.ts` starts it), and takes one request at a time.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createVitest, type TestCase, type TestModule, type TestSuite } from 'vitest/node';
import type { Found, Request } from './run-tests.ts';

const copy = process.cwd();
/** The tests that ended in this run: of a file that did not begin, vitest itself keeps what the run before found. */
const ended: TestCase[] = [];
/** The suites and files with a hook that failed: their tests did not begin. */
const unready: (TestModule | TestSuite)[] = [];
const noting = {
  onTestCaseResult: (test: TestCase): void => void ended.push(test),
  onTestSuiteResult: noteHooks,
  onTestModuleEnd: noteHooks,
};
const vitest = await createVitest(
  { config: 'test/vitest.config.ts', watch: false, bail: 1, reporters: [noting], ...limits() },
  { server: { watch: null } },
);
await vitest.standalone();

process.on('message', (request: Request) => {
  answer(request).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.once('disconnect', () => void vitest.close().finally(() => process.exit()));
// Ends PostgreSQL, too, which a signal alone would leave.
process.once('SIGTERM', () => process.exit(1));
process.send?.('ready');

async function answer({ files, changed }: Request): Promise<void> {
  for (const file of changed) vitest.invalidateFile(join(copy, file));
  const specifications = files.flatMap((file) => vitest.getModuleSpecifications(join(copy, file)));
  ended.length = 0;
  unready.length = 0;
  // What a file kept for the others was made by the mutant before. Before the first run there is none.
  const { kept }: { readonly kept?: string } = vitest.getRootProject().getProvidedContext();
  if (kept !== undefined) {
    await rm(kept, { recursive: true });
    await mkdir(kept);
  }
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const failed = ended.filter((test) => test.result().state === 'failed');
  const found: Found = {
    passed: ended.filter((test) => test.result().state === 'passed').length,
    failures: [
      ...failed.map((test) => ({ fullName: test.fullName, said: wordsOf(test.result().errors?.[0]) })),
      ...unready.map((suite) => ({ fullName: nameOf(suite), said: wordsOf(suite.errors()[0]) })),
      // It fails the gate, too, although no test has failed.
      ...unhandledErrors.map((error) => ({ fullName: 'an error outside of a test', said: wordsOf(error) })),
    ],
  };
  // The run may have been ended meanwhile.
  if (process.connected) process.send?.(found);
}

/** A file that could not be read has no tests: it says nothing of the mutant. */
function noteHooks(suite: TestModule | TestSuite): void {
  if (suite.errors().length > 0 && !suite.children.allTests().next().done) unready.push(suite);
}

function nameOf(suite: TestModule | TestSuite): string {
  return suite.type === 'module' ? suite.relativeModuleId : suite.fullName;
}

function wordsOf(error: unknown): string {
  const { message = '' } = (error ?? {}) as { readonly message?: unknown };
  return String(message).split('\n')[0] ?? '';
}

/** How long a test and a hook may take, in milliseconds. */
function limits(): { readonly testTimeout: number; readonly hookTimeout: number } {
  const [testTimeout, hookTimeout] = process.argv.slice(2).map(Number);
  return { testTimeout: testTimeout ?? 0, hookTimeout: hookTimeout ?? 0 };
}
