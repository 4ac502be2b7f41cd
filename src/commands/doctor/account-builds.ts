/** Whether the last build of each account failed, and whether the store takes the writes of each account. */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { secondOfSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import { accountPrefix } from '../../snapshot/format/keys.ts';
import type { PendingBuild } from '../../next-step.ts';
import { type Attempt, attemptedAccounts, fateOf, readAttempts } from '../../run/builders/attempts.ts';
import { nextCommand } from '../../run/builders/next-command.ts';
import { hasCode } from '../../store/directories.ts';
import type { NewestSnapshot } from '../terminal/newest-snapshots.ts';
import { type Finding, fine } from './findings.ts';

/** A last build of this machine that failed, and its error. */
export interface FailedBuild extends Pick<Attempt, 'account_id' | 'started_by'> {
  readonly failure: NonNullable<Attempt['failure']>;
}

type Newest = readonly Pick<NewestSnapshot, 'account_id' | 'snapshot_id'>[];

/** What `doctor` says of a build that was killed: nothing recorded why. */
const DIED: FailedBuild['failure'] = {
  code: 'build_died',
  message: 'it ended without recording an error (killed, or out of memory).',
  hint: null,
  error: null,
};

/** The failed last builds whose account has no newer snapshot. A stopped build is no fault. */
export async function failedBuilds(dataDir: string, newest: Newest): Promise<readonly FailedBuild[]> {
  const failed: FailedBuild[] = [];
  for (const account_id of await attemptedAccounts(dataDir)) {
    const [last] = (await readAttempts(dataDir, account_id)).attempts;
    if (last === undefined) continue;
    const failure = (await fateOf(last)) === 'died' ? DIED : last.failure;
    if (failure === null || failure.code === 'build_stopped') continue;
    const known = newest.find((each) => String(each.account_id) === account_id);
    if (known === undefined) continue; // its newest snapshot was not read, or it reports no more
    const head = known.snapshot_id;
    if (head !== null && secondOfSnapshotId(head) > last.began_at) continue;
    failed.push({ account_id, started_by: last.started_by, failure });
  }
  return failed;
}

/** The night would fail again if the store refused the build; another cause is a warning, with what to run next. */
export function judgeBuilds(
  failed: readonly FailedBuild[],
  pending: ReadonlyMap<bigint, PendingBuild>,
): Finding {
  if (failed.length === 0) return fine('no last build of this machine failed');
  const listed = failed.map(
    ({ account_id, failure: { code, message } }) =>
      `the last build of account ${account_id} failed: ${code}: ${message.replace(/\.$/, '')}`,
  );
  const advice = failed.flatMap((build) => {
    const waits = pending.get(BigInt(build.account_id)) ?? null;
    const { command, why } = nextCommand(build, 'failed', { pending: waits });
    const { hint } = build.failure;
    return [...(hint === null ? [] : [hint]), `Account ${build.account_id}: ${command} (${why}).`];
  });
  const isRefused = failed.some(({ failure: { code } }) => code.startsWith('store_'));
  return {
    outcome: isRefused ? 'failed' : 'warning',
    found: listed.join('; '),
    advice: advice.join('\n'),
  };
}

/** A folder of an account that this user may not write to. */
interface Refusal {
  readonly account_id: bigint;
  readonly path: string;
  readonly code: string;
}

/** The folders of the accounts that refuse writes. A folder that is not there yet is made by the build. */
export async function refusingFolders(
  objectStore: URL,
  accounts: readonly bigint[],
  tools: Pick<typeof fs, 'access' | 'constants' | 'readdir'> = fs,
): Promise<readonly Refusal[]> {
  const root = fileURLToPath(objectStore);
  const refusals = await Promise.all(
    accounts.map(async (account_id) => {
      const own = join(root, accountPrefix(account_id));
      const inside = await tools.readdir(own, { withFileTypes: true }).catch(() => []);
      const folders = [
        own,
        ...inside.filter((each) => each.isDirectory()).map(({ name }) => join(own, name)),
      ];
      const found = await Promise.all(folders.map((path) => refusalOf(path, tools)));
      return found.flatMap((each) => (each === null ? [] : [{ account_id, ...each }]));
    }),
  );
  return refusals.flat();
}

async function refusalOf(
  path: string,
  { access, constants }: Pick<typeof fs, 'access' | 'constants'>,
): Promise<Omit<Refusal, 'account_id'> | null> {
  try {
    await access(path, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    return { path, code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' };
  }
}

/** Folders that refuse writes fail each build of their account. */
export function judgeFolders(refusals: readonly Refusal[]): Finding {
  if (refusals.length === 0) return fine('the folder of each account takes writes');
  return {
    outcome: 'failed',
    found: refusals
      .map(({ account_id, path, code }) => `account ${account_id} cannot write to ${path} (${code})`)
      .join('; '),
    advice:
      'Correct the owner and the rights of these folders: ls -ld shows them. If lsattr -d shows an i, chattr -i lets them change again.',
  };
}
