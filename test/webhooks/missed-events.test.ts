/** Events that only the watch notices, over a real database and a log of a few lines. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { formatInstant } from '../../src/time.ts';
import { type Mark, noMarks } from '../../src/snapshot/format/marks.ts';
import { emptyLog, type LogEntry, type PublishLog } from '../../src/snapshot/format/publish-log.ts';
import { snapshotIdOf } from '../../src/snapshot/format/snapshot-id.ts';
import { enqueueMissedEvents, watchOnce, type MissedEventTools } from '../../src/webhooks/missed-events.ts';
import { LEFT_OUT, openTestTelling, published, type TestTelling } from './webhook-harness.ts';

const HOUR = 3_600_000_000n;
/** A snapshot's id is cut to one. */
const SECOND = 1_000_000n;

let test: TestTelling;
beforeAll(async () => {
  test = await openTestTelling();
});
afterEach(async () => {
  await test.service.query('delete from ops.job; delete from ops.events; delete from ops.watches');
  await test.owner.query('delete from vault.webhooks');
});
afterAll(() => test[Symbol.asyncDispose]());

/** An account that reports, with a webhook added an hour ago; the clock stands at this moment. */
async function account(): Promise<bigint> {
  const { account: id } = await test.found('/watched');
  const { rows } = await test.owner.query<{ created_at: bigint }>(
    `update vault.webhooks set created_at = created_at - interval '1 hour' returning created_at`,
  );
  test.clock.now = (rows.at(-1)?.created_at ?? 0n) + HOUR;
  return id;
}

function entryAt(at: bigint): LogEntry {
  const zeros = '0'.repeat(64);
  return {
    seq: 1,
    snapshot_id: snapshotIdOf(at),
    prefix: '',
    manifest_sha256: zeros,
    prev_sha256: zeros,
    nonce: '0'.repeat(32),
    night: formatInstant(at).slice(0, 10),
    published_at: at,
    builder: 'a test',
  };
}

const toolsOf = (log: PublishLog, tools: Partial<MissedEventTools> = {}): MissedEventTools => ({
  service: test.service,
  enqueueEvent: test.enqueueEvent,
  readAccounts: async () => [log.account_id],
  logOf: async () => log,
  marksOf: async (id) => noMarks(id),
  now: () => test.clock.now,
  logger: createLogger('silent'),
  ...tools,
});

async function told(account_id: bigint): Promise<readonly string[]> {
  const { rows } = await test.service.query<{ told: string }>(
    `select concat_ws(' ', type, body::json -> 'data' ->> 'snapshot_id', body::json -> 'data' ->> 'code') as told
     from ops.events where account_id = $1 order by id`,
    [account_id],
  );
  return rows.map((row) => row.told);
}

describe('the watch', () => {
  it('queues the event of a snapshot whose builder died, once, and none older than the webhook', async () => {
    const account_id = await account();
    const { now } = test.clock;
    const [before, after] = [entryAt(now - 2n * HOUR), entryAt(now - HOUR / 2n)];
    const log = { ...emptyLog(account_id), entries: [before, after] };
    await enqueueMissedEvents(toolsOf(log));
    await enqueueMissedEvents(toolsOf(log));
    expect(await told(account_id)).toEqual([`snapshot.published ${after.snapshot_id}`]);
  });

  it('puts the amounts left out of all totals into the event, and reads the manifest once', async () => {
    const account_id = await account();
    const entry = entryAt(test.clock.now - HOUR / 2n);
    const log = { ...emptyLog(account_id), entries: [entry] };
    await enqueueMissedEvents(toolsOf(log));
    await enqueueMissedEvents(toolsOf(log));
    const { rows } = await test.service.query<{ left_out: unknown }>(
      `select body::json -> 'data' -> 'left_out' as left_out from ops.events where account_id = $1`,
      [account_id],
    );
    expect(rows).toEqual([{ left_out: LEFT_OUT }]);
    const asked = `${account_id} ${entry.snapshot_id}`;
    expect(test.asked.filter((each) => each === asked)).toEqual([asked]);
  });

  it('queues the event of a retraction once, and none older than the webhook', async () => {
    const account_id = await account();
    const { now } = test.clock;
    const [wrong, right] = [entryAt(now - 2n * HOUR), entryAt(now - 3n * HOUR)];
    const retracted = ({ snapshot_id }: LogEntry, at: bigint): [string, readonly Mark[]] => {
      const place = { seq: 1, prev_sha256: wrong.prev_sha256, nonce: wrong.nonce, by: 'a test' };
      const said = { reason: 'A bill was loaded twice.', replaced_by: right.snapshot_id };
      return [snapshot_id, [{ ...place, kind: 'retracted', at, snapshot_id, ...said }]];
    };
    const of = new Map([retracted(wrong, now - HOUR / 2n), retracted(right, now - 2n * HOUR)]);
    const log = { ...emptyLog(account_id), entries: [right, wrong] };
    const marksOf = async () => ({ ...noMarks(account_id), of });
    await enqueueMissedEvents(toolsOf(log, { marksOf }));
    await enqueueMissedEvents(toolsOf(log, { marksOf }));
    expect(await told(account_id)).toEqual([`snapshot.retracted ${wrong.snapshot_id}`]);
  });

  it('queues an event each time that a snapshot is found damaged, and no event of a restoration', async () => {
    const account_id = await account();
    const entry = entryAt(test.clock.now - 2n * HOUR);
    const at = test.clock.now - HOUR / 2n;
    const { snapshot_id, prev_sha256, nonce } = entry;
    const place = { prev_sha256, nonce, by: 'a test', snapshot_id, at };
    const marks: readonly Mark[] = [
      { ...place, seq: 1, kind: 'quarantined', files: ['costs.parquet'], at: entry.published_at },
      { ...place, seq: 2, kind: 'quarantined', files: ['costs.parquet'] },
      { ...place, seq: 3, kind: 'restored' },
      { ...place, seq: 4, kind: 'quarantined', files: ['costs.parquet'] },
    ];
    const log = { ...emptyLog(account_id), entries: [entry] };
    const marksOf = async () => ({ ...noMarks(account_id), of: new Map([[snapshot_id, marks]]) });
    await enqueueMissedEvents(toolsOf(log, { marksOf }));
    await enqueueMissedEvents(toolsOf(log, { marksOf }));
    const damaged = `snapshot.damaged ${snapshot_id}`;
    expect(await told(account_id)).toEqual([damaged, damaged]);
  });

  it('queues an event when the newest snapshot is older than 26 hours, and another after 36, once per snapshot', async () => {
    const account_id = await account();
    const first = entryAt(test.clock.now);
    const log = { ...emptyLog(account_id), entries: [first] };
    const fresh = [`snapshot.published ${first.snapshot_id}`];
    test.clock.now += 26n * HOUR - SECOND;
    await enqueueMissedEvents(toolsOf(log));
    expect(await told(account_id)).toEqual(fresh);
    const late = [...fresh, `snapshot.late ${first.snapshot_id}`];
    for (const after of [2n * SECOND, 10n * HOUR - 2n * SECOND]) {
      test.clock.now += after;
      await enqueueMissedEvents(toolsOf(log));
      expect(await told(account_id)).toEqual(late);
    }
    test.clock.now += HOUR;
    await enqueueMissedEvents(toolsOf(log));
    test.clock.now += HOUR;
    await enqueueMissedEvents(toolsOf(log));
    const stretch = [...late, `snapshot.stale ${first.snapshot_id}`];
    expect(await told(account_id)).toEqual(stretch);
    // A newer one ends the stretch, and may grow old itself.
    const second = entryAt(test.clock.now);
    test.clock.now += 37n * HOUR;
    await enqueueMissedEvents(toolsOf({ ...log, entries: [first, second] }));
    expect((await told(account_id)).slice(3)).toEqual([
      `snapshot.published ${second.snapshot_id}`,
      `snapshot.late ${second.snapshot_id}`,
      `snapshot.stale ${second.snapshot_id}`,
    ]);
  });

  it('asks nothing about accounts without a webhook, or that do not report', async () => {
    const account_id = await account();
    const { account: silent } = await test.found();
    const asked: bigint[] = [];
    const log = { ...emptyLog(account_id), entries: [entryAt(test.clock.now)] };
    const logOf = async (id: bigint): Promise<PublishLog> => {
      asked.push(id);
      return log;
    };
    await enqueueMissedEvents(toolsOf(log, { logOf, readAccounts: async () => [silent] }));
    expect(asked).toEqual([]);
    await enqueueMissedEvents(toolsOf(log, { logOf, readAccounts: async () => [silent, account_id] }));
    expect(asked).toEqual([account_id]);
  });

  it('queues the event of a build without a further retry, with its code', async () => {
    const account_id = await account();
    await test.service.query(
      `insert into ops.job (name, data, singleton_key, source_output)
       values ('build-dead', json_build_object('account_id', $1::bigint), '2026-07-15', '{"code":"ledger_locked"}')`,
      [account_id],
    );
    await enqueueMissedEvents(toolsOf(emptyLog(account_id)));
    await enqueueMissedEvents(toolsOf(emptyLog(account_id)));
    expect(await told(account_id)).toEqual(['snapshot.failed ledger_locked']);
  });

  it('says of a delivery whose worker was lost at its last try that it failed', async () => {
    const account_id = await account();
    await test.enqueueEvent(published(account_id, 1));
    await test.service.query('delete from ops.job');
    await enqueueMissedEvents(toolsOf(emptyLog(account_id)));
    expect(await test.log(account_id)).toEqual(['failed 0 worker_lost']);
  });

  it('of one account goes on when the log of another is broken', async () => {
    const [broken, sound] = [await account(), await account()];
    const log = { ...emptyLog(sound), entries: [entryAt(test.clock.now)] };
    const logOf = async (id: bigint): Promise<PublishLog> => {
      if (id === broken) throw new Error('broken');
      return log;
    };
    await enqueueMissedEvents(toolsOf(log, { logOf, readAccounts: async () => [broken, sound] }));
    expect(await told(sound)).toHaveLength(1);
  });

  it('is kept by one of many workers', async () => {
    const account_id = await account();
    const log = { ...emptyLog(account_id), entries: [entryAt(test.clock.now)] };
    let looked = 0;
    const tools = toolsOf(log, {
      logOf: async () => {
        looked += 1;
        return log;
      },
    });
    await Promise.all([watchOnce(tools), watchOnce(tools), watchOnce(tools)]);
    expect(looked).toBe(1);
    await test.service.query(`update ops.watches set claimed_at = claimed_at - interval '3 minutes'`);
    await watchOnce(tools);
    expect(looked).toBe(2);
  });

  it('that fails says so in the log, and nothing else happens', async () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => lines.push(line) });
    const account_id = await account();
    await watchOnce(
      toolsOf(emptyLog(account_id), { logger, readAccounts: () => Promise.reject(new Error()) }),
    );
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['watch.failed']);
  });
});

describe('a refusal', () => {
  it('says since when the same check refuses, until something is published', async () => {
    const account_id = await account();
    const refuse = async (night: string, check: string): Promise<string> => {
      await test.enqueueEvent({ type: 'snapshot.refused', account_id, night, check, cents_off: 1 });
      const { rows } = await test.service.query<{ since: string }>(
        `select body::json -> 'data' ->> 'since' as since from ops.events order by id desc limit 1`,
      );
      return rows[0]?.since ?? '';
    };
    const backdate = (): Promise<unknown> =>
      test.service.query(`update ops.events set occurred_at = occurred_at - interval '1 day'`);
    test.clock.now = BigInt(Date.UTC(2026, 6, 15, 1, 46, 40)) * 1_000n;
    expect(await refuse('2026-07-14', 'a')).toBe('2026-07-15T01:46:40.000000Z');
    await backdate();
    expect(await refuse('2026-07-15', 'a')).toBe('2026-07-14T01:46:40.000000Z');
    expect(await refuse('2026-07-15', 'b')).toBe('2026-07-15T01:46:40.000000Z');
    await backdate();
    await test.enqueueEvent(published(account_id, 1));
    await backdate();
    expect(await refuse('2026-07-16', 'a')).toBe('2026-07-15T01:46:40.000000Z');
  });
});
