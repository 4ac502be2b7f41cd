/** What real programs write without a terminal, in both forms of the log. */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILED, runProgram } from '../program.ts';
import { SEED } from '../../support/signing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-forms-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a job, and gives its exit code and what it wrote. */
function runJob(env: Readonly<Record<string, string>>) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { NODE_COMPILE_CACHE: COMPILED, ...env } };
    execFile(process.execPath, ['jobs/rates.ts'], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

describe('the log of a job', () => {
  it('is JSON on standard error where that is no terminal', async () => {
    const { code, stdout, stderr } = await runJob({});
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ level: 'info', event: 'rates.skipped' });
  });

  it('is short lines on standard error with LOG_FORMAT=text', async () => {
    const { code, stdout, stderr } = await runJob({ LOG_FORMAT: 'text' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^\d\d:\d\d:\d\d No rates are read, because `RATES_URL` names no source\n$/);
  });

  it('refuses a LOG_FORMAT that is neither', async () => {
    const { code, stderr } = await runJob({ LOG_FORMAT: 'xml' });
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({
      message: 'LOG_FORMAT must be one of json, text, found "xml".',
    });
  });

  it('keeps its form where another setting is wrong', async () => {
    const { stderr } = await runJob({ LOG_FORMAT: 'text', PORT: 'x' });
    expect(stderr).toMatch(/^\d\d:\d\d:\d\d error Rates could not be read: settings_invalid: PORT must be/);
  });
});

/** Asks a builder for a build that fails before it needs a database, and gives what it told its parent and the log. */
async function failBuild(asked: object, env: Readonly<Record<string, string>>) {
  const builder = fork('jobs/build.ts', {
    execArgv: [],
    env: {
      NODE_COMPILE_CACHE: COMPILED,
      DATA_DIR: folder,
      LEDGER_URL: 'postgres://127.0.0.1:1/none',
      SIGNING_KEYS: SEED,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const log = builder.stderr === null ? '' : text(builder.stderr);
  const told: unknown[] = [];
  builder.on('message', (message) => {
    told.push(message);
    if ('ended' in (message as object)) builder.disconnect(); // an object, as all that it sends
  });
  builder.send({ night: null, requested_at: null, ...asked });
  await once(builder, 'exit');
  return { failure: (told[0] as { failed?: unknown }).failed, log: await log }; // the first message
}

describe('a build that fails', () => {
  const FORESEEN = { account: 'no id' };
  const UNFORESEEN = { account: '1', requested_at: 'no number', attended: true };

  it('is logged once for a person: by the process that asked, which hears why', async () => {
    const env = { LOG_FORMAT: 'text' };
    const [foreseen, unforeseen] = await Promise.all([failBuild(FORESEEN, env), failBuild(UNFORESEEN, env)]);
    expect(foreseen).toMatchObject({ failure: { code: 'usage_invalid' }, log: '' });
    expect(unforeseen.log).toBe('');
    expect(unforeseen.failure).toEqual({
      code: 'build_died',
      message: 'The build failed with an error that was not foreseen: SyntaxError.',
      hint: 'Build again with LOG_FORMAT=json: the log then says where.',
    });
  });

  it('is logged with its stack in JSON', async () => {
    const [foreseen, unforeseen] = await Promise.all([failBuild(FORESEEN, {}), failBuild(UNFORESEEN, {})]);
    for (const { log } of [foreseen, unforeseen]) {
      expect(JSON.parse(log)).toMatchObject({ event: 'build.failed', stack: expect.stringMatching(/^at /) });
    }
    expect(unforeseen.failure).toEqual({
      code: 'build_died',
      message: 'The build failed; its log line says where.',
      hint: null,
    });
  });
});

describe('an error of a command', () => {
  it('is for a person its message with its code, and the next step, once', async () => {
    const { code, stdout, stderr } = await runProgram(['serve'], { PORT: 'x', LOG_FORMAT: 'text' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: [] });
    expect(stderr).toEqual([
      'crossfoot: PORT must be a whole number from 0 to 65535, found "x". (settings_invalid)',
      '  Correct these environment variables; docs/reference/settings.md says what each is for.',
    ]);
  });

  it('without a next step of its own names a general one, but only to a person', async () => {
    const wrong = ['load', folder, '--mode', 'insert', '--delete-missing'];
    const message = 'crossfoot: --delete-missing needs --mode upsert.';
    const person = await runProgram(wrong, { LOG_FORMAT: 'text' });
    expect(person.stderr).toEqual([
      `${message} (usage_invalid)`,
      '  Add --help to see how the command is called.',
    ]);
    expect((await runProgram(wrong)).stderr).toEqual([message]);
  });

  it('that was not foreseen is for a person one line without a stack, and how to see it', async () => {
    const { code, stderr } = await runProgram(['why'], {
      DATA_DIR: join(folder, 'file'),
      LOG_FORMAT: 'text',
    });
    expect(code).toBe(1);
    expect(stderr).toEqual([
      expect.stringMatching(/^crossfoot: Error: ENOTDIR: not a directory, scandir '.+'$/),
      '  Run it again with LOG_FORMAT=json to see where.',
    ]);
  });

  it('that was not foreseen has its stack where no person reads', async () => {
    const { code, stderr } = await runProgram(['why'], { DATA_DIR: join(folder, 'file') });
    expect(code).toBe(1);
    expect(stderr.filter((line) => /^ +at /.test(line)).length).toBeGreaterThan(2);
  });
});
