import { describe, expect, it, test } from 'vitest';
import {
  failure,
  judgeClocks,
  judgeCost,
  judgeDamage,
  judgeGrants,
  judgeHeads,
  judgeRetracted,
  judgeSettings,
  judgeSpool,
  judgeVersion,
} from '../../../src/commands/doctor/findings.ts';
import { readSettings } from '../../../src/config.ts';
import { CrossfootError } from '../../../src/errors.ts';

const SECOND = 1_000_000n;
const NONE = new Map<never, never>();

const judgedSpool = (free_bytes: number, largest_bytes: number) =>
  judgeSpool({ folder: '/srv/spool', free_bytes, largest_bytes });
const judgedSettings = (env: Record<string, string>) => judgeSettings(readSettings(env));

describe('three clocks', () => {
  const here = 1_784_080_805n * SECOND;

  it.each([
    ['the same', 0n, 0n],
    ['120 s apart', -20n, 100n],
  ])('are fine when %s', (_, database, store) => {
    const clocks = { here, database: here + database * SECOND, store: here + store * SECOND };
    expect(judgeClocks(clocks).outcome).toBe('ok');
  });

  it('fail when two of them are further apart, though each is near the third', () => {
    // 61 s behind and 60 s ahead of this machine: 121 s between them.
    expect(judgeClocks({ here, database: here - 61n * SECOND, store: here + 60n * SECOND })).toMatchObject({
      outcome: 'failed',
      found:
        "The store's clock is 121 s ahead of the database's clock: database -61 s, store 60 s from this machine",
      advice: expect.stringContaining('nothing is queued, built, published or deleted'),
    });
  });
});

test.each([
  ['15.18', 'warning'],
  ['16.14', 'ok'],
  ['18.1', 'ok'],
  ['19beta1', 'warning'],
])('PostgreSQL %s gives: %s', (version, outcome) => {
  const found = `the ledger answers, on PostgreSQL ${version}; 16, 17 and 18 are supported`;
  expect(judgeVersion(version)).toMatchObject({ outcome, found });
});

const lacks = (role: string) => ({
  role,
  object: 'table ledger.vendors',
  statement: `grant select … to ${role};`,
});

describe('grants', () => {
  it('are a warning where only an application or a backup lacks them', () => {
    expect(judgeGrants([lacks('cf_writer'), lacks('cf_backup')]).outcome).toBe('warning');
    expect(judgeGrants([lacks('cf_writer'), lacks('cf_service')]).outcome).toBe('failed');
  });

  it('cannot be given on what a migration has still to make', () => {
    expect(judgeGrants([{ ...lacks('cf_backup'), statement: null }, lacks('cf_reader')])).toEqual({
      outcome: 'failed',
      found: '1 objects of the ledger are not there, such as table ledger.vendors',
      advice: 'Run npx --no crossfoot migrate with OWNER_URL.',
    });
  });
});

const head = (account_id: bigint, snapshot_id: string) => ({ account_id, snapshot_id });

describe('newest snapshots', () => {
  // 2026-07-15T02:00:05Z.
  const now = 1_784_080_805n * SECOND;

  it('are fine up to two minutes ahead of the database', () => {
    expect(judgeHeads([head(1n, '20260715T020205Z'), head(2n, '20260714T020000Z')], now).outcome).toBe('ok');
    expect(judgeHeads([], now).outcome).toBe('ok');
  });

  it('fail when one is dated in the future, with the command that mends it', () => {
    expect(judgeHeads([head(1n, '20260714T020000Z'), head(7n, '20260715T020206Z')], now)).toEqual({
      outcome: 'failed',
      found: 'dated in the future, so nothing newer can be published: 20260715T020206Z of account 7',
      advice:
        'If the clocks are right, run npx --no crossfoot retract 20260715T020206Z --account 7 --future-head, and so for each.',
    });
  });
});

describe('retracted newest snapshots', () => {
  it('are a warning that names each with its reason, because readers of the newest still get it', () => {
    const at = 0n;
    const retracted_newest = {
      snapshot_id: '20260714T020000Z',
      at,
      reason: 'KES read as USD',
      replaced_by: null,
    };
    expect(judgeRetracted([{ account_id: 1n, retracted_newest: null }], NONE).outcome).toBe('ok');
    expect(
      judgeRetracted(
        [
          { account_id: 1n, retracted_newest: null },
          { account_id: 7n, retracted_newest },
        ],
        NONE,
      ),
    ).toEqual({
      outcome: 'warning',
      found: 'retracted, and still served as the newest: 20260714T020000Z of account 7 (KES read as USD)',
      advice: 'Correct the ledger, then build a new one: npx --no crossfoot enqueue --account 7.',
    });
  });
});

const damagedIn = (account_id: bigint, newest_fault: 'damaged' | null) => ({
  account_id,
  newest_fault,
  damaged_snapshots: [{ snapshot_id: '20260714T020000Z', files: ['costs.parquet'], missing: [] }],
});

describe('damaged files', () => {
  it('of an older snapshot are a warning, and a new snapshot does not mend them', () => {
    expect(judgeDamage([damagedIn(7n, null)], NONE)).toEqual({
      outcome: 'warning',
      found: 'files are damaged or missing: 20260714T020000Z of account 7 (costs.parquet)',
      advice: 'Restore them from a copy, then run npx --no crossfoot scrub.',
    });
  });

  it('of the newest snapshot fail the night, with what mends each, and no second build beside a running one', () => {
    const running = {
      state: 'building',
      at: 1_784_080_805n * SECOND,
      tries: 1,
      max_tries: 6,
      untaken: false,
    } as const;
    const pending = new Map([[8n, { ...running, account_id: 8n }]]);
    expect(judgeDamage([damagedIn(7n, 'damaged'), damagedIn(8n, 'damaged')], pending)).toMatchObject({
      outcome: 'failed',
      advice: [
        'Build a new one: npx --no crossfoot enqueue --account 7. Or restore the files from a copy, then run npx --no crossfoot scrub --account 7.',
        'A build is running since 2026-07-15 02:00 UTC, try 1 of 6; look again then: npx --no crossfoot why --account 8.',
      ].join('\n'),
    });
  });
});

describe('the disk of the spool', () => {
  it.each([
    ['a gigabyte for accounts without a snapshot', 1_000_000_000, 0, 'ok'],
    ['less than that', 999_999_999, 0, 'warning'],
    // 16 MiB.
    ['space for the first files', 16_777_216, 0, 'warning'],
    ['less than that, also for an account without a snapshot', 16_777_215, 0, 'failed'],
    // Twice 2 GB.
    ['twice the largest snapshot', 4_000_000_000, 2_000_000_000, 'ok'],
    ['less than twice', 3_999_999_999, 2_000_000_000, 'warning'],
    ['not even the snapshot itself', 1_999_999_999, 2_000_000_000, 'failed'],
  ])('with %s is judged', (_, free, largest, outcome) => {
    expect(judgedSpool(free, largest).outcome).toBe(outcome);
  });

  it('is shown in megabytes, with the folder', () => {
    expect(judgedSpool(5_000_000_000, 2_000_000_000)).toEqual({
      outcome: 'ok',
      found: '5000.0 MB free in /srv/spool, 4000.0 MB needed for one build',
      advice: null,
    });
  });
});

describe('the cost of a build', () => {
  const idle = { locked_tables: [], oldest_writer_seconds: 3.7, transactions_kept: 12 };

  it('is shown with its locks and with what vacuum keeps', () => {
    expect(judgeCost(idle, 27)).toEqual({
      outcome: 'ok',
      found:
        'a build holds ACCESS SHARE on 27 tables and one snapshot while it reads; vacuum now keeps what 12 transactions removed; the oldest writer is 3 s old',
      advice: null,
    });
  });

  it.each([
    ['a writer of an hour', { oldest_writer_seconds: 3_600 }, /pg_stat_activity/],
    ['a table that is being rewritten', { locked_tables: ['ledger.cost_entries'] }, /wait 10 s/],
  ])('is warned of over %s', (_, change, advice) => {
    expect(judgeCost({ ...idle, ...change }, 27)).toMatchObject({
      outcome: 'warning',
      advice: expect.stringMatching(advice),
    });
  });

  it('is fine on a standby, which knows of no writers', () => {
    expect(judgeCost({ ...idle, oldest_writer_seconds: null }, 27)).toMatchObject({
      outcome: 'ok',
      found: expect.stringContaining('a standby does not know the writers'),
    });
  });
});

describe('settings', () => {
  it('are fine as they are, and for a fleet', () => {
    expect(judgedSettings({}).outcome).toBe('ok');
    const fleet = { DATABASE_URL: 'postgres://db/main', OBJECT_STORE: 's3://figures/prod' };
    expect(judgedSettings(fleet)).toEqual({
      outcome: 'ok',
      found: 'a PostgreSQL of your own, objects in s3://figures/prod, listening on 127.0.0.1',
      advice: null,
    });
  });

  it.each([
    ['listen to everybody and name no address', { HOST: '0.0.0.0' }, /BASE_URL/],
    ['share a ledger and not the store', { DATABASE_URL: 'postgres://db/main' }, /Use a bucket/],
  ])('are warned of when they %s', (_, env, advice) => {
    expect(judgedSettings(env)).toMatchObject({ outcome: 'warning', advice: expect.stringMatching(advice) });
  });
});

test('an error of ours shows its cause and advice; any other is reported as unexpected', () => {
  const ours = new CrossfootError('store_unavailable', 'The bucket refused.', { hint: 'Log in.' });
  expect(failure(ours)).toEqual({ outcome: 'failed', found: 'The bucket refused.', advice: 'Log in.' });
  expect(failure(new TypeError('x is not y'))).toMatchObject({
    outcome: 'failed',
    found: 'TypeError: x is not y',
    advice: expect.stringContaining('report'),
  });
});
