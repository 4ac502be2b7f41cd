import { defineConfig } from 'vitest/config';
import { quickFolder } from './support/quick-folder.ts';

// For every folder that a test makes: a disk takes seconds for a database when many others were removed just before.
process.env['TMPDIR'] ??= quickFolder();
// For every thread: each loads the encoding library, compiled, in two thirds of the time.
process.env['NODE_COMPILE_CACHE'] ??= new URL('../node_modules/.cache/crossfoot', import.meta.url).pathname;

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    // Two cores: each test file clones its own database, so files run side by side without sharing rows.
    maxWorkers: 2,
    // A worker loads the program once for all of its files: none replaces a module or leaves a setting behind.
    isolate: false,
    // Of a test that hangs, and no promise of speed: on a machine with much else to do a test takes many times as long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    allowOnly: false,
  },
});
