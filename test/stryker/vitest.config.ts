import { defineConfig } from 'vitest/config';

/** The fast tests of what `npm run stryker` mutates: none of them needs a database. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/figures/**/*.test.ts',
      'test/serve/{byte-range,cursor.property,token}.test.ts',
      'test/snapshot/{append-entry,log-entry,publish,publish-log,publish-manifest,publish-once,read-chain}.test.ts',
    ],
    maxWorkers: 1,
    testTimeout: 60_000,
    allowOnly: false,
  },
});
