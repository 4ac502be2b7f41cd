/**
 * `npm run campaign -- focus`: the validator of the FOCUS project on the FOCUS files of real builds. Exits 2 where there is
 * no Python that it runs on, or its registry does not answer.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { makePython } from '../clients/packages.ts';

const TOP = resolve(import.meta.dirname, '../..');
const IS_NEW_ENOUGH = ['-c', 'import sys; sys.exit(not (3, 12) <= sys.version_info < (3, 14))'];

function run(): number {
  const programs = [process.env['FOCUS_PYTHON'] ?? [], 'python3.13', 'python3.12', 'python3'].flat();
  const python = programs.find((name) => spawnSync(name, IS_NEW_ENOUGH).status === 0);
  if (python === undefined) {
    process.stderr.write(
      'The validator needs Python 3.12 or 3.13: install it, or name it in FOCUS_PYTHON.\n',
    );
    return 2;
  }
  const folder = join(TOP, 'test/.tmp/focus-validator');
  mkdirSync(folder, { recursive: true });
  const made = makePython('focus', folder, python);
  if ('missing' in made) {
    process.stderr.write(`${made.missing}\n`);
    return 2;
  }
  const lib = join(folder, 'lib');
  const version = readdirSync(lib).find((name) => name.startsWith('python')) ?? '';
  const { status } = spawnSync('vitest', ['run', '--config', 'test/focus/vitest.config.ts'], {
    cwd: TOP,
    env: {
      ...process.env,
      PATH: [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      FOCUS_VALIDATOR: join(made.path, 'focus-validator'),
      // It reads a file of its own by a path that is relative to its package.
      FOCUS_VALIDATOR_FOLDER: join(lib, version, 'site-packages'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? 0 : 1;
}

process.exitCode = run();
