import { expect, it } from 'vitest';
import { type Fate, nextCommand } from '../../../src/run/builders/next-command.ts';
import { createProgram } from '../../../src/commands/program.ts';
import { ERRORS, type ErrorCode } from '../../../src/errors.ts';
import { anAttempt } from './attempt.ts';

const codes = Object.keys(ERRORS) as ErrorCode[];
const names = createProgram({
  env: {},
  signal: new AbortController().signal,
  print: () => undefined,
  say: () => undefined,
}).commands.map((command) => command.name());

function commandFor(fate: Fate, code = 'unforeseen'): string {
  const failure = { code, message: '', hint: null, error: null };
  return nextCommand(anAttempt({ account_id: '12', failure }), fate).command;
}

it.each([...codes, 'unforeseen'])('is, after %s, one command that this program has', (code) => {
  const [, command = ''] =
    /^npx --no crossfoot (\S+)(?: --account 12(?: --accept-head)?)?$/.exec(commandFor('failed', code)) ?? [];
  expect([...names, '--version']).toContain(command);
});

it.each<[Fate, string]>([
  ['failed', 'npx --no crossfoot build --account 12'],
  ['died', 'npx --no crossfoot build --account 12'],
  ['running', 'npx --no crossfoot why --account 12'],
  ['published', 'npx --no crossfoot snapshots --account 12'],
  ['skipped', 'npx --no crossfoot snapshots --account 12'],
  ['superseded', 'npx --no crossfoot snapshots --account 12'],
])('is, for a build that is %s, %s', (fate, command) => {
  expect(commandFor(fate)).toBe(command);
});

it('accepts the head of a log that is older than one seen, because building again is refused', () => {
  expect(commandFor('failed', 'log_older')).toBe('npx --no crossfoot snapshots --account 12 --accept-head');
});

it('looks first where building again cannot help', () => {
  expect(commandFor('failed', 'publish_log_broken')).toBe('npx --no crossfoot snapshots --account 12');
});
