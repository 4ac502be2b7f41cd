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

it.each([...codes, 'unforeseen'])('the next command after %s is a command of this program', (code) => {
  const [, command = ''] =
    /^npx --no crossfoot (\S+)(?: --account 12(?: --accept-(?:head|ledger))?)?$/.exec(
      commandFor('failed', code),
    ) ?? [];
  expect([...names, '--version']).toContain(command);
});

it.each<[Fate, string]>([
  ['failed', 'npx --no crossfoot build --account 12'],
  ['died', 'npx --no crossfoot build --account 12'],
  ['running', 'npx --no crossfoot why --account 12'],
  ['published', 'npx --no crossfoot snapshots --account 12'],
  ['skipped', 'npx --no crossfoot snapshots --account 12'],
  ['superseded', 'npx --no crossfoot snapshots --account 12'],
])('the next command for a build that is %s is %s', (fate, command) => {
  expect(commandFor(fate)).toBe(command);
});

it('the next command accepts the head of an older log, because building again is refused', () => {
  expect(commandFor('failed', 'log_older')).toBe('npx --no crossfoot snapshots --account 12 --accept-head');
});

it('the next command accepts a restored ledger, because building again is refused', () => {
  expect(commandFor('failed', 'ledger_older')).toBe('npx --no crossfoot build --account 12 --accept-ledger');
});

it.each(['ENOSPC', 'EDQUOT'])('the next command after a full disk (%s) frees space', (code) => {
  const failure = { code: 'store_self_test_failed', data: { check: 'a check', code } };
  expect(nextCommand({ account_id: '12', failure }, 'failed')).toEqual({
    command: 'npx --no crossfoot prune',
    why: 'deletes what has expired, also on a full disk, and says what else can go',
  });
});

it('the next command is a look where building again cannot help', () => {
  expect(commandFor('failed', 'publish_log_broken')).toBe('npx --no crossfoot snapshots --account 12');
});
