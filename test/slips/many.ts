/**
 * `npm run campaign -- slips [--read 100000] [--loaded 5000] [--seed 50]`: reads `--read` files that each have a
 * slip (something that a person typed or exported wrong), and loads `--loaded` other such files. The rules alone must refuse
 * three quarters of the slips. Only the totals that a person gives to `load --expect` reveal the others.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const TOP = resolve(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: {
    read: { type: 'string', default: '100000' },
    loaded: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '50' },
  },
});
const path = [resolve(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
const asked = ['--config', 'test/vitest.config.ts', '-t', 'is refused after thousands of slips'];
const { status } = spawnSync('vitest', ['run', ...asked, 'test/slips/slips.test.ts'], {
  cwd: TOP,
  env: {
    ...process.env,
    PATH: path,
    SLIPS_READ: values.read,
    SLIPS_LOADED: values.loaded,
    SLIPS_SEED: values.seed,
  },
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exitCode = status === 0 ? 0 : 1;
