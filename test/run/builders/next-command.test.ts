import { expect, it } from 'vitest';
import type { Fate } from '../../../src/run/builders/attempts.ts';
import { nextCommand } from '../../../src/run/builders/next-command.ts';
import { createProgram } from '../../../src/commands/program.ts';
import { ERRORS, type ErrorCode } from '../../../src/errors.ts';
import { instantOf } from '../../support/instant-of.ts';
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

const RETRY = {
  account_id: 12n,
  state: 'retry',
  at: instantOf('2026-07-15T02:31:40.000000Z'),
  tries: 2,
  max_tries: 6,
  untaken: false,
} as const;
const REFUSED = { account_id: '12', failure: { code: 'audit_refused' } };
const FOLLOWS = 'a retry follows at about 2026-07-15 02:31 UTC, try 2 of 6';

it('the next command beside a retry is a look, and no build, which would publish a second equal snapshot', () => {
  const look = { command: 'npx --no crossfoot why --account 12' };
  expect(nextCommand(REFUSED, 'failed', { pending: RETRY })).toEqual({
    ...look,
    why: `${FOLLOWS}; it publishes once the rows named above are right in the ledger`,
  });
  const again = { account_id: '12', failure: { code: 'unforeseen' } };
  expect(nextCommand(again, 'failed', { pending: RETRY })).toEqual({
    ...look,
    why: `${FOLLOWS}; look again then`,
  });
  for (const [state, words] of [
    ['building', 'a build is running since 2026-07-15 02:31 UTC, try 2 of 6; look again then'],
    ['queued', 'a build is queued for 2026-07-15 02:31 UTC, try 2 of 6; look again then'],
  ] as const)
    expect(nextCommand(again, 'failed', { pending: { ...RETRY, state } })).toEqual({ ...look, why: words });
  expect(nextCommand(again, 'died', { pending: RETRY })).toEqual({
    ...look,
    why: `${FOLLOWS}; give it more memory, if the system log says that memory ran out`,
  });
});

it.each([
  ['retry', 'a retry was due at about 2026-07-15 02:31 UTC'],
  ['queued', 'a build was due at 2026-07-15 02:31 UTC'],
  ['building', 'a build began at 2026-07-15 02:31 UTC and its worker ended'],
] as const)(
  'the next command beside a pending build (%s) that no worker takes starts one',
  (state, words) => {
    const pending = { ...RETRY, state, untaken: true };
    const untaken = `${words}, try 2 of 6; no worker takes it`;
    expect(nextCommand({ account_id: '12', failure: { code: 'unforeseen' } }, 'failed', { pending })).toEqual(
      {
        command: 'npx --no crossfoot work',
        why: `${untaken}: start a worker, or read the log of the running one`,
      },
    );
    expect(nextCommand(REFUSED, 'failed', { pending })).toEqual({
      command: 'npx --no crossfoot work',
      why: `${untaken}; it publishes once the rows named above are right in the ledger`,
    });
  },
);

it('the next command after a full disk frees space, and says that a retry follows', () => {
  const failure = { code: 'spool_failed', data: { code: 'ENOSPC' } };
  expect(nextCommand({ account_id: '12', failure }, 'failed', { pending: RETRY })).toEqual({
    command: 'npx --no crossfoot prune',
    why: `deletes what has expired, also on a full disk, and says what else can go; ${FOLLOWS}`,
  });
});

it.each([
  ['night', 'npx --no crossfoot enqueue --account 12'],
  ['queue', 'npx --no crossfoot enqueue --account 12'],
  ['hand', 'npx --no crossfoot build --account 12'],
] as const)(
  'the next command without a retry repeats a build of the %s as it was begun',
  (started_by, command) => {
    expect(nextCommand({ ...REFUSED, started_by }, 'failed').command).toBe(command);
  },
);

it.each([
  ['start', 'npx --no crossfoot start'],
  ['work', 'npx --no crossfoot work'],
] as const)(
  'the next command after a stopped program is %s, because the build is still queued',
  (worker, command) => {
    const failure = { code: 'build_stopped' };
    expect(nextCommand({ account_id: '12', failure, started_by: 'night' }, 'failed', { worker })).toEqual({
      command,
      why: 'takes the build up again: it is still queued',
    });
    const byHand = nextCommand({ account_id: '12', failure, started_by: 'hand' }, 'failed', { worker });
    expect(byHand.command).toBe('npx --no crossfoot build --account 12');
  },
);

it.each(['damaged', 'retracted'] as const)(
  'the next command for a %s newest snapshot builds a new one',
  (newest) => {
    const published = { account_id: '12', failure: null };
    const again = 'npx --no crossfoot enqueue --account 12';
    for (const fate of ['published', 'skipped', 'superseded'] as const) {
      expect(nextCommand(published, fate, { newest }).command).toBe(again);
      expect(nextCommand(published, fate, { newest, pending: RETRY })).toMatchObject({
        command: 'npx --no crossfoot why --account 12',
        why: expect.stringContaining(FOLLOWS),
      });
    }
    // A failed build comes first: the next one would fail, too.
    expect(nextCommand(REFUSED, 'failed', { newest }).why).toBe(
      'once the rows named above are right in the ledger',
    );
  },
);

const whyOf = (failure: { code: string; data: Record<string, unknown> }): string =>
  nextCommand({ account_id: '12', failure }, 'failed').why;

it.each(['EACCES', 'EPERM'])(
  'the next command after a refused write or read (%s) names the folder, not credentials',
  (code) => {
    const path = '/srv/objects/v1/a/12/s';
    expect(whyOf({ code: 'store_unavailable', data: { step: 'create', code, path } })).toBe(
      `once the owner and rights of ${path} let this user write`,
    );
    expect(whyOf({ code: 'store_unavailable', data: { step: 'list', code, path } })).toBe(
      `once the owner and rights of ${path} let this user read`,
    );
    expect(whyOf({ code: 'store_self_test_failed', data: { code } })).toBe(
      'once the owner and rights of the folder of OBJECT_STORE let this user write',
    );
    expect(whyOf({ code: 'store_unavailable', data: { step: 'create', said: '403 AccessDenied' } })).toBe(
      'once the store accepts the credentials',
    );
  },
);
