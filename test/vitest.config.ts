import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    // Two cores: each worker clones its own database, so files run side by side without sharing rows.
    maxWorkers: 2,
    // Of a test that hangs, and no promise of speed: on a machine with much else to do a test takes many times as long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    allowOnly: false,
  },
});
