/** The commands that say how an account stands name a retracted newest snapshot, until a newer one is published. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDoctorCommand } from '../../src/commands/doctor/doctor.ts';
import { addRetractCommand } from '../../src/commands/retract.ts';
import { addStatusCommand } from '../../src/commands/status.ts';
import { addWhyCommand } from '../../src/commands/why.ts';
import { writeAttempt } from '../../src/run/builders/attempts.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { snapshotIdOf } from '../../src/snapshot/format/snapshot-id.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { runCommand } from '../commands/in-process.ts';
import { aBuild, publishNow } from '../snapshot/builder/build-harness.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { SEED } from '../support/signing.ts';
import { anAttempt } from './builders/attempt.ts';

const HOUR = 3_600_000_000n;
const NOW = CLOCK.now();
const [FIRST, SECOND, THIRD] = [NOW - 3n * HOUR, NOW - 2n * HOUR, NOW - HOUR];
const [OLDER, NEWEST] = [snapshotIdOf(FIRST), snapshotIdOf(SECOND)];
const REASON = 'A bill in KES was read as dollars';

let database: TestDatabase;
let root: string;
let store: Store;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase('template_company');
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-retracted-'));
  env = {
    DATA_DIR: root,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
  };
  store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  await publish(FIRST);
  await publish(SECOND);
  await writeAttempt(root, anAttempt({ account_id: '1', snapshot_id: NEWEST }));
});
afterAll(async () => {
  await fs.rm(root, { recursive: true });
  await database.drop();
});

const publish = (at: bigint) => publishNow(store, { ...aBuild(String(at), at), account_id: 1n });

async function printed(add: Parameters<typeof runCommand>[0], ...args: readonly string[]): Promise<string> {
  return (await runCommand(add, env, ...args)).printed.join('\n');
}

/** What each command says to a person. */
const told = async (): Promise<readonly string[]> => [
  await printed(addStatusCommand, 'status'),
  await printed(addWhyCommand, 'why'),
  await printed(addDoctorCommand, 'doctor'),
];

/** What `--json` has of the newest snapshot. */
async function inJson(): Promise<readonly unknown[]> {
  const { newest } = JSON.parse(await printed(addStatusCommand, 'status', '--json')) as {
    readonly newest: readonly { readonly account_id: number; readonly retracted_newest: unknown }[];
  };
  const attempts = JSON.parse(await printed(addWhyCommand, 'why', '--json')) as readonly {
    readonly retracted_newest: unknown;
  }[];
  return [newest.find(({ account_id }) => account_id === 1)?.retracted_newest, attempts[0]?.retracted_newest];
}

it('status, why and doctor say nothing of a retracted snapshot while a newer one is served', async () => {
  const retract = ['retract', OLDER, '--account', '1', '--reason', 'An old mistake', '--replaced-by', NEWEST];
  expect((await runCommand(addRetractCommand, env, ...retract)).error).toBeUndefined();
  for (const text of await told()) expect(text).not.toMatch(/RETRACTED|An old mistake/);
  expect(await inJson()).toEqual([null, null]);
});

it('status, why and doctor say that the newest is retracted, when, why and what is served, until the next is there', async () => {
  const ran = await runCommand(
    addRetractCommand,
    env,
    'retract',
    NEWEST,
    '--account',
    '1',
    '--reason',
    REASON,
  );
  const [, at = ''] = /is retracted since (.* UTC)$/.exec(ran.printed[0] ?? '') ?? [];
  const line = `newest snapshot ${NEWEST} RETRACTED since ${at}: ${REASON}. It is still served as the newest, marked as retracted. Correct the ledger, then build a new one: npx --no crossfoot enqueue --account 1`;
  const [status, why, doctor] = await told();
  expect(status).toContain(`account 1: ${line}`);
  expect(why).toContain(`  ${line}`);
  expect(doctor).toContain(`retracted, and still served as the newest: ${NEWEST} of account 1 (${REASON})`);
  const mark = {
    snapshot_id: NEWEST,
    reason: REASON,
    replaced_by: null,
    at: expect.stringMatching(`^${at.slice(0, 10)}T${at.slice(11, 16)}:.*Z$`),
  };
  expect(await inJson()).toEqual([mark, mark]);
  await publish(THIRD);
  for (const text of await told()) expect(text).not.toMatch(/RETRACTED|as dollars/);
  expect(await inJson()).toEqual([null, null]);
});
