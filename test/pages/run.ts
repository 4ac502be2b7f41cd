/**
 * `npm run campaign -- pages`: every page in Chromium, or in the browser that `CHROMIUM` names. Exits 2 with a sentence
 * where there is none. Leaves what it saw in `test/.tmp/pages`; `--screenshots <folder>` renews the pictures of the
 * README.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const TOP = resolve(import.meta.dirname, '../..');
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const RUN_MS = 1_800_000;

function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const named = process.env['CHROMIUM'];
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return (named === undefined ? paths : [named]).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const { values } = parseArgs({ options: { screenshots: { type: 'string' }, rows: { type: 'string' } } });
const browser = findBrowser();
if (browser === undefined) {
  process.stderr.write(
    `None of ${NAMES.join(', ')} is installed: apt-get install chromium, or set CHROMIUM.\n`,
  );
  process.exit(2);
}
const { status } = spawnSync('vitest', ['run', '--config', 'test/pages/vitest.config.ts'], {
  cwd: TOP,
  env: {
    ...process.env,
    PATH: [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    CHROMIUM: browser,
    ...(values.rows === undefined ? {} : { PROOF_ROWS: values.rows }),
    ...(values.screenshots === undefined ? {} : { SCREENSHOTS: resolve(TOP, values.screenshots) }),
  },
  stdio: ['ignore', 'inherit', 'inherit'],
  timeout: RUN_MS,
});
process.exitCode = status === 0 ? 0 : 1;
