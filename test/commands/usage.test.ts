/** What the program says before it does anything: help, wrong usage, wrong settings. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commandNames, programHere } from './program-here.ts';
import { type Environment, runProgram } from './program.ts';

const WRONG = { PORT: 'http', DATABASE_URL: 'mysql://db', LOG_LEVEL: 'loud', BASE_URL: 'http://host/api' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-usage-'));
});
afterAll(() => rm(folder, { recursive: true }));
// Whatever a program wrongly started would keep its data here.
afterEach(async () => {
  const left = await readdir(folder);
  if (left.length > 0) throw new Error(`something was started: ${left.join()}`);
});

const environment = (given: Environment): Environment => ({ DATA_DIR: join(folder, 'data'), ...given });

/** Runs a command in this process, and gives the help that was asked for. */
async function parse(args: readonly string[], env: Environment = {}): Promise<string> {
  const { program, printed } = programHere(environment(env));
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'exitCode' in error && error.exitCode === 0)) throw error;
  });
  return printed.join('\n');
}

describe('help', () => {
  it('lists every command on stdout and succeeds', async () => {
    const { code, stdout, stderr } = await runProgram(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    const listed = stdout.flatMap((line) => /^ {2}([a-z]+) /.exec(line)?.[1] ?? []);
    expect(listed).toEqual([...commandNames(), 'help']);
  });

  it.each(commandNames())('shows by example how %s is called', async (command) => {
    const [, examples = ''] = (await parse([command, '--help'])).split('Examples:\n');
    expect(examples).toMatch(new RegExp(`^  (?:[A-Z_]+=\\S+ )*npx --no crossfoot ${command}\\b`, 'm'));
  });
});

describe('wrong usage', () => {
  it('exits with 2 and says nothing on stdout', async () => {
    const { code, stdout, stderr } = await runProgram(['strat'], environment({}));
    expect({ code, stdout }).toEqual({ code: 2, stdout: [] });
    expect(stderr.join('\n')).toContain("unknown command 'strat'");
  });

  it.each([
    ['an unknown option', ['build', '--acount', '1'], "unknown option '--acount'"],
    [
      'an account that is no id',
      ['build', '--account', 'one'],
      'An id is a whole number above 0, of at most 18 digits.',
    ],
    ['a missing argument', ['load', '--mode', 'insert'], "missing required argument 'paths'"],
    ['one argument too many', ['start', 'now'], 'too many arguments'],
  ])('is %s', async (_, args, complaint) => {
    await expect(parse(args)).rejects.toThrow(complaint);
  });
});

describe('wrong settings', () => {
  it('exit with 2 before anything is started, with the names of all of them and no secret', async () => {
    const { code, stdout, stderr } = await runProgram(['start'], environment(WRONG));
    expect({ code, stdout }).toEqual({ code: 2, stdout: [] });
    for (const name of Object.keys(WRONG)) expect(stderr[0]).toContain(`${name} must be `);
    expect(stderr[0]).not.toContain(WRONG.DATABASE_URL);
    expect(stderr).toHaveLength(2);
  });

  it.each(['start', 'serve', 'build', 'migrate'])('are refused by %s', async (command) => {
    await expect(parse([command], WRONG)).rejects.toMatchObject({ code: 'settings_invalid' });
  });
});
