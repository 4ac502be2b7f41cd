/** An account that is not to be built any longer, at the start of its build or while it is built. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insert } from '../../support/ledger-rows.ts';
import { watchedStore } from './faulty-tools.ts';
import { AT, type BuildHarness, listener, openBuildHarness } from './real-build.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const MINUTE = 60_000_000n;
/** An account that has nothing, and belongs to this file. */
const EMPTY = 900n;

let harness: BuildHarness;
let owner: Client;
let at = AT;
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());
beforeEach(async () => {
  at += MINUTE;
  await owner.query(`delete from ledger.accounts where id = ${EMPTY}`);
  await insert(owner, 'ledger.accounts', {
    id: EMPTY,
    name: 'Nothing yet',
    plan: 'team',
    plan_includes_api: true,
    app_url: 'https://app.example/nothing',
    reporting_enabled_at: '2026-01-01Z',
  });
});

const WAYS: readonly (readonly [way: string, statement: string])[] = [
  ['switched off', `update ledger.accounts set reporting_enabled_at = null where id = ${EMPTY}`],
  [
    'moved to a plan without API access',
    `update ledger.accounts set plan_includes_api = false where id = ${EMPTY}`,
  ],
  ['deleted', `delete from ledger.accounts where id = ${EMPTY}`],
];

itInSweeps.each(WAYS)(
  'F-47: an account that is %s during its build is not published',
  async (_, statement) => {
    const store = await harness.emptyStore();
    await harness.build({ account_id: EMPTY, store, at: at - MINUTE });
    const before = await harness.served(EMPTY, store);
    const { events, onEvent } = listener();
    let stored = 0;
    const watched = watchedStore(store, async (call) => {
      if (!call.startsWith('create')) return;
      stored += 1;
      // Its files are on their way already.
      if (stored === 1) await owner.query(statement);
    });
    const building = harness.build({ account_id: EMPTY, store: watched, at, onEvent });
    await expect(building).rejects.toMatchObject({ code: 'reporting_off' });
    expect(events.at(-1)?.kind).toBe('audit.passed');
    expect((await harness.served(EMPTY, store))?.snapshot_id).toBe(before?.snapshot_id);
    expect(await readdir(join(harness.root, 'spool', `${EMPTY}`))).toEqual([]);
  },
);

it.each(WAYS.slice(0, 2))(
  'F-47: an account that was %s before the build is refused before anything is read',
  async (_, statement) => {
    await owner.query(statement);
    const { events, onEvent } = listener();
    await expect(harness.build({ account_id: EMPTY, at, onEvent })).rejects.toMatchObject({
      code: 'reporting_off',
      hint: expect.stringContaining('npx --no crossfoot reporting on --account 900'),
    });
    expect(events).toEqual([]);
  },
);
