import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { quickFolder } from './support/quick-folder.ts';

// For every folder that a test makes: a disk takes seconds for a database when many others were removed just before.
process.env['TMPDIR'] ??= quickFolder();
// For every thread: each loads the encoding library, compiled, in two thirds of the time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('../node_modules/.cache/crossfoot', import.meta.url),
);

/** How many times as long a test may take, on a machine with much else to do. */
const patience = Number(process.env['CROSSFOOT_TEST_PATIENCE'] ?? 1);

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    // Each test file clones its own database, so files run side by side without sharing rows. One more than the cores
    // of the smallest machine: a seventh of the time a test waits for a process or a timeout.
    maxWorkers: 3,
    // A worker loads the program once for all of its files: none replaces a module or leaves a setting behind.
    isolate: false,
    // Six times what the slowest test takes on two cores.
    testTimeout: 60_000 * patience,
    hookTimeout: 60_000 * patience,
    // Ends before its test, so that it says what it waited for.
    expect: { poll: { timeout: 45_000 * patience } },
    allowOnly: false,
    // An expected file that is missing is a failure, not a file to write.
    update: 'none',
  },
});
