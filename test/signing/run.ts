/**
 * `npm run campaign -- signatures`: what an auditor pastes, on a real snapshot. Takes the library of Sigstore from npm;
 * exits 2 where a program is missing or the registry does not answer.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const TOP = resolve(import.meta.dirname, '../..');
const PROGRAMS = [
  ['ssh-keygen', '-?'],
  ['openssl', 'version'],
  ['curl', '--version'],
  ['jq', '--version'],
] as const;
const VERIFIERS = ['@sigstore/verify@4.1.3', '@sigstore/bundle@5.0.1', '@sigstore/protobuf-specs@0.5.2'];

function run(): number {
  const missing = PROGRAMS.filter(([name, arg]) => spawnSync(name, [arg]).error !== undefined);
  if (missing.length > 0) {
    process.stderr.write(`${missing.map(([name]) => name).join(', ')}: not on the PATH\n`);
    return 2;
  }
  const folder = join(TOP, 'test/.tmp/sigstore');
  mkdirSync(folder, { recursive: true });
  const options = [
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
  ];
  const installed = spawnSync('npm', ['install', ...options, ...VERIFIERS], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (installed.status !== 0) return 2;
  const { status } = spawnSync('vitest', ['run', '--config', 'test/signing/vitest.config.ts'], {
    cwd: TOP,
    env: {
      ...process.env,
      PATH: [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      SIGSTORE_FOLDER: folder,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? 0 : 1;
}

process.exitCode = run();
