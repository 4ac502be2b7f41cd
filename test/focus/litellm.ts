/**
 * `npm run campaign -- litellm`: LiteLLM's own exporter, from the registry of Python, writes a bill as CSV and as Parquet; the
 * file that the tests keep is the same, and `load --focus` keeps the same use of each. Exits 2 without Python or the registry.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { makePython } from '../clients/packages.ts';

const TOP = resolve(import.meta.dirname, '../..');
const KEPT = join(TOP, 'test/ledger/focus/litellm-1.110.2.csv');

function run(): number {
  const folder = join(TOP, 'test/.tmp/litellm');
  mkdirSync(folder, { recursive: true });
  const made = makePython('litellm', join(folder, 'python'));
  if ('missing' in made) {
    process.stderr.write(`${made.missing}\n`);
    return 2;
  }
  const script = join(import.meta.dirname, 'export-litellm.py');
  const exported = spawnSync(join(made.path, 'python'), [script, folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (exported.status !== 0) return 1;
  if (!readFileSync(join(folder, 'litellm.csv')).equals(readFileSync(KEPT))) {
    process.stderr.write(`The exporter writes ${folder}/litellm.csv, and the tests keep ${KEPT}.\n`);
    return 1;
  }
  const { status } = spawnSync(
    'vitest',
    ['run', '--config', 'test/vitest.config.ts', 'test/ledger/focus/litellm.test.ts'],
    {
      cwd: TOP,
      env: {
        ...process.env,
        PATH: [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
        LITELLM_EXPORT: folder,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return status === 0 ? 0 : 1;
}

process.exitCode = run();
