/** `npm run campaign -- as-of [--ledgers 50]`: the freeze test over so many generated ledgers. */
import { spawnSync } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const TOP = resolve(import.meta.dirname, '../../..');

const { values } = parseArgs({ options: { ledgers: { type: 'string', default: '50' } } });
const path = [resolve(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
const run = ['run', '--config', 'test/vitest.config.ts', 'test/serve/live/as-of-ledgers.sweep.test.ts'];
const { status } = spawnSync('vitest', run, {
  cwd: TOP,
  env: { ...process.env, PATH: path, FROZEN_LEDGERS: values.ledgers },
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exitCode = status === 0 ? 0 : 1;
