import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  failedBuilds,
  judgeBuilds,
  judgeFolders,
  refusingFolders,
} from '../../../src/commands/doctor/account-builds.ts';
import { type Attempt, writeAttempt } from '../../../src/run/builders/attempts.ts';
import { anAttempt } from '../../run/builders/attempt.ts';
import { instantOf } from '../../support/instant-of.ts';

let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'crossfoot-builds-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

const NONE = new Map<never, never>();
const REFUSED: NonNullable<Attempt['failure']> = {
  code: 'store_unavailable',
  message: 'store: the folder refused to create an object (EPERM).',
  hint: 'Give this user the right to write to /srv/objects/v1/a/1/s: correct its owner and its rights.',
  data: { step: 'create', code: 'EPERM', path: '/srv/objects/v1/a/1/s' },
  error: null,
};
const AT = instantOf('2026-07-15T02:00:00.000000Z');

async function judged(failure: Attempt['failure'], snapshot_id: string | null, pending = NONE) {
  const outcome = failure === null ? 'published' : 'failed';
  await writeAttempt(folder, anAttempt({ began_at: AT, started_by: 'night', outcome, failure }));
  return judgeBuilds(await failedBuilds(folder, [{ account_id: 1n, snapshot_id }]), pending);
}

describe('the last builds', () => {
  it('fail a night if the store refused one, with account, path and what to do', async () => {
    expect(await judged(REFUSED, '20260714T020000Z')).toEqual({
      outcome: 'failed',
      found:
        'the last build of account 1 failed: store_unavailable: store: the folder refused to create an object (EPERM)',
      advice: [
        REFUSED.hint,
        'Account 1: npx --no crossfoot enqueue --account 1 (once the owner and rights of /srv/objects/v1/a/1/s let this user write).',
      ].join('\n'),
    });
  });

  it('are no fault of an account whose newest snapshot was not read', async () => {
    await writeAttempt(folder, anAttempt({ began_at: AT, outcome: 'failed', failure: REFUSED }));
    expect(await failedBuilds(folder, [{ account_id: 2n, snapshot_id: null }])).toEqual([]);
  });

  it('are a warning if another cause failed one', async () => {
    const failure = { ...REFUSED, code: 'audit_refused', hint: null, data: {} };
    expect(await judged(failure, null)).toMatchObject({ outcome: 'warning' });
  });

  it('fail a night if the store refused one of several', async () => {
    const builds = [{ ...REFUSED, code: 'audit_refused', data: {} }, REFUSED].map((failure, index) => ({
      account_id: String(index + 1),
      started_by: null,
      failure,
    }));
    expect(judgeBuilds(builds, NONE).outcome).toBe('failed');
    expect(judgeBuilds(builds.toReversed(), NONE).outcome).toBe('failed');
  });

  it('say that a retry follows, and advise no build beside it', async () => {
    const retry = { account_id: 1n, state: 'retry', at: AT, tries: 2, max_tries: 6 } as const;
    const { advice } = await judged(REFUSED, null, new Map([[1n, retry]]) as never);
    expect(advice).toContain(
      'why --account 1 (a retry follows at about 2026-07-15 02:00 UTC, try 2 of 6; it publishes once',
    );
    expect(advice).not.toContain('enqueue');
  });

  it('are fine if a newer snapshot is there, if the last one published, or if a person stopped it', async () => {
    expect((await judged(REFUSED, '20260715T030000Z')).outcome).toBe('ok');
    expect((await judged({ ...REFUSED, code: 'build_stopped' }, null)).outcome).toBe('ok');
    expect((await judged(null, null)).outcome).toBe('ok');
  });
});

describe('the folders of accounts', () => {
  it('fail a night if one refuses writes, by account and path', async () => {
    const own = join(folder, 'v1/a/7');
    await fs.mkdir(join(own, 's'), { recursive: true });
    await fs.mkdir(join(folder, 'v1/a/8/s'), { recursive: true });
    const access = async (path: string, mode?: number): Promise<void> => {
      const refuses = path === join(own, 's') && ((mode ?? 0) & fs.constants.W_OK) !== 0;
      if (refuses) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
      await fs.access(path, mode);
    };
    const tools = { constants: fs.constants, readdir: fs.readdir, access: access as typeof fs.access };
    // Account 9 has no folder yet.
    const refused = await refusingFolders(pathToFileURL(folder), [7n, 8n, 9n], tools);
    expect(judgeFolders(refused)).toMatchObject({
      outcome: 'failed',
      found: `account 7 cannot write to ${join(own, 's')} (EPERM)`,
      advice: expect.stringContaining('owner and the rights'),
    });
    expect(judgeFolders(await refusingFolders(pathToFileURL(folder), [7n, 8n, 9n])).outcome).toBe('ok');
  });
});
