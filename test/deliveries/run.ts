/**
 * `npm run campaign -- deliveries [--times 10000] [--seed 1]`: deliveries into a bucket that spoils its answers. With --short it
 * makes one round of 200.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const TOP = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
  },
});
// The tests' own cluster has the ledger that deliveries are recorded in.
const { status } = spawnSync(
  'vitest',
  ['run', '--config', 'test/vitest.config.ts', 'test/deliveries/faulty-round.sweep.test.ts'],
  {
    cwd: TOP,
    env: {
      ...process.env,
      DELIVERIES_TIMES: values.short ? '200' : values.times,
      DELIVERIES_SEED: values.seed,
      PATH: [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
process.exitCode = status === 0 ? 0 : 1;
