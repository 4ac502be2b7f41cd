/** A name with line breaks stays on one line of every command that prints it, and JSON gives it back as it is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAccountCommand } from '../../../src/commands/account.ts';
import { addLoadCommand } from '../../../src/commands/load.ts';
import { addTokenCommand } from '../../../src/commands/token.ts';
import { printable } from '../../../src/format.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Ran, runCommand } from '../in-process.ts';

const NAME = 'Own\nforged\r\nforged\u2028forged';
const SHOWN = String.raw`Own\nforged\u000d\nforged\u2028forged`;

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase('template_company');
  env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  await runCommand(addAccountCommand, env, 'account', 'set', '1', '--name', NAME);
  const issue = ['token', 'issue', '--account', '1', '--kind', 'reporting', '--name', NAME];
  await runCommand(addTokenCommand, env, ...issue);
});
afterAll(() => database.drop());

/** All that a run writes to a terminal, its error included. */
function linesOf({ printed, said, error }: Ran): string[] {
  const message = error instanceof Error ? [error.message] : [];
  return [...printed, ...said, ...message].map(printable).flatMap((text) => text.split(/[\n\r\u2028]/));
}

it.each([
  ['account list', addAccountCommand],
  ['account show 1', addAccountCommand],
  ['account remove 1 --dry-run', addAccountCommand],
  ['token list --account 1', addTokenCommand],
  [`load /nowhere/${NAME} --account 1`, addLoadCommand],
  [`load /nowhere/${NAME}.csv --account 1`, addLoadCommand],
])('the command %j prints a name with line breaks on one line', async (command, add) => {
  const lines = linesOf(await runCommand(add, env, ...command.split(' ')));
  expect(lines.filter((line) => line.includes('forged'))).toEqual([expect.stringContaining(SHOWN)]);
});

it.each([
  ['account list --json', addAccountCommand],
  ['account show 1 --json', addAccountCommand],
  ['token list --account 1 --json', addTokenCommand],
])('the command %j gives a name with line breaks unchanged', async (command, add) => {
  const { printed } = await runCommand(add, env, ...command.split(' '));
  expect(printed.length).toBeGreaterThan(1);
  const names: unknown[] = [];
  JSON.parse(printed.map(printable).join('\n'), (key, value: unknown) => {
    if (key === 'name') names.push(value);
    return value;
  });
  expect(names).toContain(NAME);
});
