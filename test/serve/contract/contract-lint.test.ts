/** The contract, judged by a strict linter that knows nothing of how it was made. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeApi } from '../../../src/serve/api-document.ts';

const require = createRequire(import.meta.url);
const REDOCLY = require.resolve('@redocly/cli/bin/cli.js');
/** Neither a word home nor a look for newer versions: the test needs no network. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-lint-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function lint(document: object): Promise<{ code: number; said: string }> {
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const rules = ['--extends', 'recommended-strict', '--format', 'stylish'];
  const linter = spawn(process.execPath, [REDOCLY, 'lint', ...rules, file], {
    cwd: folder, // where no settings of anybody lie
    env: { PATH: process.env['PATH'], ...QUIET },
  });
  let said = '';
  for (const stream of [linter.stdout, linter.stderr]) stream.on('data', (text) => (said += String(text)));
  const [code] = (await once(linter, 'close')) as [number];
  return { code, said };
}

const contract = describeApi('http://127.0.0.1:8787/v1');

it('the contract passes every strict rule, without an exception', async () => {
  const { code, said } = await lint(contract);
  expect(said).toContain('Your API description is valid');
  expect(code).toBe(0);
});

it('the linter refuses an operation that anyone may call without saying so', async () => {
  const { paths, ...rest } = contract;
  const { security: _, ...open } = paths?.['/roi']?.get ?? { responses: {} };
  const { code, said } = await lint({ ...rest, paths: { ...paths, '/roi': { get: open } } });
  expect(said).toContain('security-defined');
  expect(code).toBe(1);
});
