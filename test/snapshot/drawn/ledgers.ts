/**
 * `npm run campaign -- ledgers [--ledgers 2000] [--seed 49] [--parallel 2]`: so many drawn ledgers are built; none is refused.
 * As many processes as asked for draw and build, each its share of the ledgers with the seeds of that share, on a
 * PostgreSQL of its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const TOP = resolve(import.meta.dirname, '../../..');
const FILE = 'test/snapshot/drawn/drawn-ledgers.sweep.test.ts';

const { values } = parseArgs({
  options: {
    ledgers: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '49' },
    parallel: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});
const [ledgers, seed, parallel] = [values.ledgers, values.seed, values.parallel].map(Number);
if (!ledgers || !parallel || seed === undefined || Number.isNaN(seed))
  throw new Error('--ledgers, --seed and --parallel are numbers');
const began = performance.now();
const shares = Array.from({ length: parallel }, (_, index) => {
  const [from, to] = [index, index + 1].map((end) => Math.floor((ledgers * end) / parallel));
  return { first: seed + (from ?? 0), count: (to ?? 0) - (from ?? 0) };
});
const ended = await Promise.all(
  shares.map(async ({ first, count }) => {
    const path = [resolve(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
    const child = spawn('vitest', ['run', '--config', 'test/vitest.config.ts', FILE], {
      cwd: TOP,
      env: { ...process.env, PATH: path, DRAWN_LEDGERS: String(count), DRAWN_SEED: String(first) },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [status] = (await once(child, 'exit')) as [number | null];
    return status === 0;
  }),
);
const bad = ended.filter((passed) => !passed).length;
process.stdout.write(
  `${ledgers} ledgers of seed ${seed} by ${parallel} processes in ${((performance.now() - began) / 1000).toFixed(0)} s: ` +
    `${bad === 0 ? 'each is published' : `${bad} processes found a refused one, see above`}\n`,
);
process.exitCode = bad === 0 ? 0 : 1;
