/**
 * `npm run campaign -- clickhouse`: the printed SQL in ClickHouse's own engine (chdb), and in DuckDB with its extension for
 * buckets. Exits 2 without their Python packages.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';
import { makePython } from '../clients/packages.ts';

const TOP = resolve(import.meta.dirname, '../..');

function run(): number {
  const made = makePython('clickhouse', join(TOP, 'test/.tmp/clickhouse'));
  if ('missing' in made) {
    process.stderr.write(`${made.missing}\n`);
    return 2;
  }
  const { status } = spawnSync('vitest', ['run', '--config', 'test/warehouse/vitest.config.ts'], {
    cwd: TOP,
    env: {
      ...process.env,
      PATH: [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      CLICKHOUSE_PYTHON: join(made.path, 'python'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? 0 : 1;
}

process.exitCode = run();
