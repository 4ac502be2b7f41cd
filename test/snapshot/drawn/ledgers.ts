/** `npm run campaign -- ledgers [--ledgers 2000] [--seed 49]`: so many drawn ledgers are built; none is refused. */
import { spawnSync } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const TOP = resolve(import.meta.dirname, '../../..');

const { values } = parseArgs({
  options: { ledgers: { type: 'string', default: '2000' }, seed: { type: 'string', default: '49' } },
});
const path = [resolve(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
const file = 'test/snapshot/drawn/drawn-ledgers.test.ts';
const { status } = spawnSync('vitest', ['run', '--config', 'test/vitest.config.ts', file], {
  cwd: TOP,
  env: { ...process.env, PATH: path, DRAWN_LEDGERS: values.ledgers, DRAWN_SEED: values.seed },
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exitCode = status === 0 ? 0 : 1;
