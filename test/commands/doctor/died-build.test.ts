/** A build that was killed, such as by the end of memory, is a failed build for `doctor` as it is for `why`. */
import * as fs from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failedBuilds, judgeBuilds } from '../../../src/commands/doctor/account-builds.ts';
import { addWhyCommand } from '../../../src/commands/why.ts';
import { writeAttempt } from '../../../src/run/builders/attempts.ts';
import { anAttempt } from '../../run/builders/attempt.ts';
import { runCommand } from '../in-process.ts';
import { instantOf } from '../../support/instant-of.ts';

let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'crossfoot-died-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

const AT = instantOf('2026-07-15T02:00:00.000000Z');

it('doctor names a last build that died, as why does', async () => {
  // No process here has this id: Linux has none above 2^22.
  await writeAttempt(
    folder,
    anAttempt({ began_at: AT, host: hostname(), pid: 5_000_000, started_by: 'night' }),
  );
  const { printed } = await runCommand(addWhyCommand, { DATA_DIR: folder }, 'why');
  expect(printed[1]).toContain('DIED without recording an error');
  const builds = await failedBuilds(folder, [{ account_id: 1n, snapshot_id: '20260714T020000Z' }]);
  expect(judgeBuilds(builds, new Map<never, never>())).toMatchObject({
    outcome: 'warning',
    found:
      'the last build of account 1 failed: build_died: it ended without recording an error (killed, or out of memory)',
  });
  // A newer snapshot, or a build that still runs, is no fault.
  expect(await failedBuilds(folder, [{ account_id: 1n, snapshot_id: '20260716T020000Z' }])).toEqual([]);
});
