/** A build that is killed, fails or is stopped anywhere leaves the snapshot before it served whole, and nothing behind. */
import * as promises from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { clockAt } from './build-harness.ts';
import { readChecks } from '../audit/audited-files.ts';
import { faultyClient, faultySpoolFiles, watchedStore } from './faulty-tools.ts';
import { openPartlyAudited } from '../audit/partly-audited.ts';
import { AT, type Asked, type BuildHarness, listener, untilNoSession } from './real-build.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const HOUR = 3_600_000_000n;

let harness: BuildHarness;
let admin: Client;
let before: string | undefined;
let at = AT;

beforeAll(async () => {
  harness = await openPartlyAudited();
  admin = await harness.database.admin();
  await harness.build();
  before = await servedWhole();
});
afterAll(() => harness.close());

const next = (asked: Asked) => {
  at += HOUR;
  return harness.build({ at, ...asked });
};

/** The id of the latest snapshot, every byte of which was read and checked on the way. */
async function servedWhole(): Promise<string | undefined> {
  return (await harness.served())?.snapshot_id;
}

async function leavesAllAsItWas(): Promise<void> {
  expect(await servedWhole()).toBe(before);
  await untilNoSession(admin);
  expect(await promises.readdir(harness.spool)).toEqual([]);
}

/** After whatever the tests of a group left in the store, the next build publishes, audited whole. */
async function nextOnePublishes(): Promise<void> {
  at += HOUR;
  expect((await harness.build({ at, checks: await readChecks() })).outcome).toBe('published');
  before = await servedWhole();
}

describe('the store', () => {
  itInSweeps(
    'shows what a kill before each of its calls would leave: the snapshot before, until the last call (F-1)',
    async () => {
      const calls: string[] = [];
      const store = watchedStore(harness.store, async (kind) => {
        expect(await servedWhole()).toBe(before);
        calls.push(kind);
      });
      await next({ store });
      expect(calls.at(-1)).toBe('create log');
      expect(calls.length).toBeGreaterThan(40);
      const after = await servedWhole();
      expect(after).not.toBe(before);
      before = after;
    },
  );

  itInSweeps.each([
    'list log',
    'readSmall log',
    'create parquet',
    'readSmall parquet',
    'create blocks',
    'readSmall json',
    'create manifest',
    'readSmall manifest',
    'create log',
  ])('fails the build when it refuses to %s', async (refused) => {
    const refusal = new CrossfootError('store_unavailable', 'refused');
    const store = watchedStore(harness.store, (kind) => {
      if (kind === refused) throw refusal;
    });
    await expect(next({ store })).rejects.toBe(refusal);
    await leavesAllAsItWas();
  });

  itInSweeps.each(['list log', 'readSmall log', 'readSmall manifest', 'create parquet', 'create log'])(
    'that gives no answer to %s for a minute delays the build and does not fail it',
    async (unanswered) => {
      // The clock moves by its waits alone, from 0 on: after 60 s of waits the store answers.
      const clock = clockAt(0n);
      const store = watchedStore(harness.store, (kind) => {
        if (kind !== unanswered || clock.now() > 60_000_000n) return;
        throw new CrossfootError('store_outcome_unknown', 'no answer');
      });
      expect((await next({ store, clock })).outcome).toBe('published');
      expect(clock.now()).toBeGreaterThan(60_000_000n);
      before = await servedWhole();
    },
  );

  it('lets the next build publish', nextOnePublishes);
});

describe('the database', () => {
  it.each(['set local statement_timeout', 'lock table', 'fetch 2000', 'commit'])(
    'fails the build when PostgreSQL refuses "%s"',
    async (words) => {
      const broken = next({ connect: () => faultyClient(harness.connect, words, () => 'select 1 / 0') });
      await expect(broken).rejects.toMatchObject({ code: '22012' });
      await leavesAllAsItWas();
    },
  );

  it('lets the next build publish', nextOnePublishes);
});

describe('a COPY that stands still', () => {
  const GATE = 77;
  let owner: Client;

  // The view of costs stops in the middle of its rows, at a lock that the administrator holds.
  beforeAll(async () => {
    owner = await harness.database.client('cf_owner');
    const { rows } = await owner.query<{ text: string }>(
      `select pg_get_viewdef('reporting.cost_entries'::regclass) as text`,
    );
    const view = (rows[0]?.text ?? '').replace(/;\s*$/, '');
    await owner.query(
      `create or replace view reporting.cost_entries with (security_invoker = true) as ${view}
       where c.id < 3040 or (select true from pg_advisory_xact_lock_shared(${GATE}))`,
    );
    await admin.query(`select pg_advisory_lock(${GATE})`);
  });
  afterAll(async () => {
    await admin.query(`select pg_advisory_unlock(${GATE})`);
  });

  async function status(): Promise<number> {
    for (;;) {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      if (rows[0] !== undefined) return rows[0].pid;
    }
  }

  it('fails the build when its session is ended there: no short file is published (F-5)', async () => {
    const broken = outcomeOf(next({}));
    await admin.query('select pg_terminate_backend($1)', [await status()]);
    expect(await broken).toMatchObject({ code: 'copy_failed' });
    await leavesAllAsItWas();
  });

  it('ends with the build when that is stopped', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const stopped = outcomeOf(next({ signal: stop.signal }));
    await status();
    stop.abort(reason);
    expect(await stopped).toBe(reason);
    // A session that waits for a lock notices its lost client only when it gets the lock, or is told.
    await admin.query(`select pg_advisory_unlock(${GATE})`);
    await leavesAllAsItWas();
    await admin.query(`select pg_advisory_lock(${GATE})`);
  });
});

describe('the spool (F-29, F-30, F-32)', () => {
  itInSweeps.each([
    ['mkdir', 'EACCES'],
    ['readdir', 'EIO'],
    ['open', 'EMFILE'],
    ['handle.writeFile', 'ENOSPC'],
    ['handle.close', 'EIO'],
    ['writeFile', 'ENOSPC'],
    ['handle.read', 'EIO'],
  ])('fails the build when %s meets %s', async (call, code) => {
    await expect(next({ fs: faultySpoolFiles(call, code) })).rejects.toMatchObject({
      code: 'spool_failed',
      data: { code, path: expect.stringContaining(harness.spool) },
    });
    await leavesAllAsItWas();
  });

  it.each(['ENOSPC', 'EDQUOT'])('that is full is named with the cure after %s', async (code) => {
    const path = `${harness.spool}/[0-9a-f]{32}/snapshot.parquet`;
    await expect(next({ fs: faultySpoolFiles('handle.writeFile', code) })).rejects.toMatchObject({
      message: expect.stringMatching(
        `^The disk is full: ${path} could not be written \\(${code}\\); nothing was published.$`,
      ),
      hint: expect.stringMatching(
        '^Run npx --no crossfoot prune: it works on a full disk, .* Or set DATA_DIR to a larger disk than that of ',
      ),
    });
  });

  it('that cannot be removed does not make a published snapshot a failure', async () => {
    const { events, onEvent } = listener();
    expect((await next({ fs: faultySpoolFiles('rm', 'EIO'), onEvent })).outcome).toBe('published');
    expect(events.at(-1)).toMatchObject({ kind: 'spool.left' });
    await promises.rm(harness.spool, { recursive: true });
    before = await servedWhole();
  });

  it('that cannot be removed does not hide why the build failed', async () => {
    const refusal = new CrossfootError('ledger_locked', 'locked');
    const connect = (): Promise<Client> => Promise.reject(refusal);
    await expect(next({ fs: faultySpoolFiles('rm', 'EIO'), connect })).rejects.toBe(refusal);
    await promises.rm(harness.spool, { recursive: true });
  });
});

describe('a stopped build (F-2)', () => {
  it.each(['table.written', 'audit.passed'])('ends with its reason after %s', async (kind) => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const onEvent = (event: { readonly kind: string }): void => {
      if (event.kind === kind) stop.abort(reason);
    };
    await expect(next({ signal: stop.signal, onEvent })).rejects.toBe(reason);
    await leavesAllAsItWas();
  });

  it('ends with its reason in the middle of publishing, before the log entry', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const store: Store = {
      ...harness.store,
      async create(key, body) {
        if (key.endsWith('manifest.json')) stop.abort(reason);
        return harness.store.create(key, body);
      },
    };
    await expect(next({ signal: stop.signal, store })).rejects.toBe(reason);
    await leavesAllAsItWas();
  });

  it('never begins when it was stopped before', async () => {
    const reason = new Error('stopped');
    await expect(next({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await leavesAllAsItWas();
  });

  it('lets the next build publish', nextOnePublishes);
});
