/** `crossfoot moment`: the plan is there while the moment is open, and no longer. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdMoment } from '../../../src/commands/actions/moment.ts';
import { addMomentCommand } from '../../../src/commands/build.ts';
import type { MomentPlan } from '../../../src/snapshot/builder/moment-plan.ts';
import { change, untilNoSession } from '../../snapshot/builder/real-build.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { runCommand, runCommandWith } from '../in-process.ts';

/** A thousandth of a second. */
const SHORT_MINUTES = 1 / 60_000;

let database: TestDatabase;
let admin: Client;
let folder: string;
let to: string;
beforeAll(async () => {
  database = await createDatabase('template_company');
  admin = await database.admin();
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-moment-'));
  to = join(folder, 'plan.json');
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const env = () => ({ LEDGER_URL: database.url('cf_reader'), DATA_DIR: folder, LOG_LEVEL: 'silent' });

/** A plan whose moment is open. */
async function hold() {
  const stop = new AbortController();
  const printed = Promise.withResolvers<string>();
  const ran = runCommandWith(
    { signal: stop.signal, print: printed.resolve },
    addMomentCommand,
    env(),
    'moment',
    '--account',
    '1',
    '--to',
    to,
  );
  const path = await Promise.race([printed.promise, ran]);
  const text = await readFile(to, 'utf8');
  const plan = JSON.parse(text) as MomentPlan; // as the command wrote it
  return { path, text, plan, stop: () => stop.abort(new Error('stopped by the test')), ran };
}

const joined = async ({ session_start }: MomentPlan): Promise<unknown> => {
  const reader = await database.client('cf_reader');
  try {
    return await outcomeOf(reader.query(`begin; ${session_start}; rollback`));
  } finally {
    await reader.end();
  }
};

it('another session joins the moment until the command is stopped, which removes the plan', async () => {
  const { path, plan, stop, ran } = await hold();
  expect(path).toBe(to);
  expect(await joined(plan)).toBeInstanceOf(Array);
  stop();
  expect(await ran).toMatchObject({
    error: undefined,
    said: [
      'The moment of account 1 is open for 240 minutes. Ctrl-C closes it.',
      `The moment is closed, and ${to} is removed.`,
    ],
  });
  expect(existsSync(to)).toBe(false);
  await untilNoSession(admin);
  expect(await joined(plan)).toMatchObject({ message: expect.stringContaining('does not exist') });
});

it('the plan has neither the address nor the login of the database, nor its password', async () => {
  const { text, stop, ran } = await hold();
  stop();
  await ran;
  const { password, username, host, pathname } = new URL(database.url('cf_reader'));
  expect(password).not.toBe('');
  expect([password, `${username}:`, host, pathname.slice(1)].filter((part) => text.includes(part))).toEqual(
    [],
  );
});

it('the moment is closed after its minutes', async () => {
  const printed: string[] = [];
  const context = { env: env(), signal: new AbortController().signal, say: () => undefined };
  const options = { account: 1n, ranges: 2, minutes: SHORT_MINUTES, to };
  await holdMoment(options, { ...context, print: (line) => printed.push(line) });
  expect(printed).toEqual([to]);
  expect(existsSync(to)).toBe(false);
  await untilNoSession(admin);
});

it('an existing file is refused, and stays', async () => {
  await writeFile(to, 'of another moment');
  const { error } = await runCommand(addMomentCommand, env(), 'moment', '--account', '1', '--to', to);
  expect(error).toMatchObject({
    code: 'usage_invalid',
    message: `${to} must be a new file; it exists already, and moment overwrites no file.`,
  });
  expect(await readFile(to, 'utf8')).toBe('of another moment');
  await rm(to);
});

it('an account whose reporting is off has no plan, and no file is left', async () => {
  const owner = await database.client('cf_owner');
  await change(
    owner,
    'update ledger.accounts set reporting_enabled_at = null, reporting_enabled_by_id = null where id = 1',
  );
  const { error } = await runCommand(addMomentCommand, env(), 'moment', '--account', '1', '--to', to);
  expect(error).toMatchObject({ code: 'reporting_off' });
  expect(existsSync(to)).toBe(false);
  await untilNoSession(admin);
});
