import { defineConfig } from 'vitest/config';

/** What `npm run campaign -- s3` runs, in parts, against a real bucket; the gate, which needs Node and npm only, does not. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/s3/{crashed,real}-*.ts'],
    globalSetup: ['test/support/cluster.ts'],
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    allowOnly: false,
  },
});
