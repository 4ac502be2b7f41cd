/** `npm run campaign -- python`: the tests of `pull.mjs`, run on `pull.py`; exits 2 where there is no Python 3.9. */
import { spawnSync } from 'node:child_process';
import { delimiter, resolve } from 'node:path';

const TOP = resolve(import.meta.dirname, '../..');

function run(): number {
  const asked = ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'];
  if (spawnSync('python3', asked).status !== 0) {
    process.stderr.write('python3 is not on the PATH, or older than 3.9\n');
    return 2;
  }
  const path = [resolve(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const signs = spawnSync('ssh-keygen', ['-?']).error === undefined;
  if (!signs) process.stderr.write('ssh-keygen is not on the PATH: the tests of --key do not run\n');
  const { status } = spawnSync(
    'vitest',
    [
      'run',
      '--config',
      'test/vitest.config.ts',
      'test/client/pull.test.ts',
      'test/client/durable.test.ts',
      'test/client/days-of-keys.test.ts',
      'test/client/lock.test.ts',
      'test/client/options.test.ts',
      'test/client/rules.test.ts',
      'test/client/interrupts.sweep.test.ts',
      'test/client/nights.sweep.test.ts',
      'test/client/retracted.test.ts',
      'test/client/malformed-answers.test.ts',
      ...(signs ? ['test/client/signed.test.ts', 'test/client/lying-server.test.ts'] : []),
    ],
    {
      cwd: TOP,
      env: { ...process.env, PATH: path, PULL_PROGRAM: 'python' },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return status === 0 ? 0 : 1;
}

process.exitCode = run();
