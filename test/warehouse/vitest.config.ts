import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What `npm run campaign -- clickhouse` runs; the gate, which needs Node and npm only, does not. */
/** How many times as long a test may take, on a machine with much else to do. */
const patience = Number(process.env['CROSSFOOT_TEST_PATIENCE'] ?? 1);

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/warehouse/real-*.ts'],
    globalSetup: ['test/support/cluster.ts'],
    maxWorkers: 1,
    testTimeout: 120_000 * patience,
    hookTimeout: 300_000 * patience,
    allowOnly: false,
  },
});
