import { defineConfig } from 'vitest/config';

/** What `npm run campaign -- pages` runs, in a real browser; never part of the gate, which needs Node and npm only. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/pages/real-*.ts'],
    globalSetup: ['test/support/cluster.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    // Twelve nights are built first, on a machine that may be busy.
    hookTimeout: 900_000,
    allowOnly: false,
  },
});
