import { defineConfig } from 'vitest/config';

/** What `npm run campaign -- focus` runs; the gate, which needs Node and npm only, does not. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/focus/real-*.ts'],
    globalSetup: ['test/support/cluster.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    allowOnly: false,
  },
});
