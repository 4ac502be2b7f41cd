/** Queueing nights: the missed one at once, each account once, whatever is in the way. */
import type { EventEmitter } from 'node:events';
import { getTasks } from 'node-cron';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NightStep, takeSteps } from '../../../src/run/worker/night-steps.ts';
import { type NightKeeper, queueDueNights, queueNight } from '../../../src/run/worker/queue-night.ts';
import { type QueueSession, openQueueSession } from '../../../src/run/worker/queue-session.ts';
import { CLOCK } from '../../../src/run/machine.ts';
import { readSettings } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import type { Clocks } from '../../../src/clock-offsets.ts';
import { agreeingAt } from '../../snapshot/builder/build-harness.ts';
import { useZone, ZONES } from '../../support/zones.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

// The company's ledger: accounts 1 and 2 report, 3 has a plan without the API.
let database: TestDatabase;
let session: QueueSession;
let service: Client;
beforeAll(async () => {
  database = await createDatabase('template_company');
  service = await database.client('cf_service');
  session = await openQueueSession({
    databases: { ledgerUrl: database.url('cf_reader'), serviceUrl: database.url('cf_service') },
    logger: createLogger('silent'),
    supervise: false,
  });
});
beforeEach(async () => {
  await service.query('delete from ops.job');
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await database.drop();
});

function keeper(parts: Partial<NightKeeper> = {}): NightKeeper {
  return {
    // Due at midnight, so that today's night was missed whenever this runs.
    settings: readSettings({ SCHEDULE: '0 0 * * *', JITTER_SECONDS: '0' }),
    session,
    readClocks: async () => agreeingAt(await session.readDatabaseClock()),
    logger: createLogger('silent'),
    signal: new AbortController().signal,
    databases: { ledgerUrl: database.url('cf_reader'), ownerUrl: null, embedded: false },
    before: [],
    after: [],
    sleep: CLOCK.sleep,
    ...parts,
  };
}

/** A wait that is over before it began. */
const atOnce = (): Promise<void> => Promise.resolve();

/** Where nothing is to be waited for. */
const never = (): Promise<void> => Promise.reject(new Error('waits for the night'));

async function queued(): Promise<readonly unknown[]> {
  const { rows } = await service.query<{ account: number; due: boolean }>(
    `select (data ->> 'account_id')::int as account, start_after <= now() as due from ops.job order by 1`,
  );
  return rows;
}

async function nights(): Promise<readonly string[]> {
  const { rows } = await service.query<{ night: string }>(
    'select distinct singleton_key as night from ops.job',
  );
  return rows.map(({ night }) => night);
}

describe('a night', () => {
  it('that was missed is queued at the start, due at once, for the accounts that report', async () => {
    const stop = new AbortController();
    const keeping = queueDueNights(keeper({ signal: stop.signal }));
    await expect.poll(queued).toEqual([
      { account: 1, due: true },
      { account: 2, due: true },
    ]);
    stop.abort();
    await keeping;
    expect(await session.readAccounts()).toEqual([1n, 2n]);
  });

  it('is queued when it falls due, by any running process', async () => {
    const stop = new AbortController();
    const settings = { ...readSettings({ JITTER_SECONDS: '0' }), schedule: '* * * * * *' }; // every second
    const keeping = queueDueNights(keeper({ settings, signal: stop.signal }));
    await expect.poll(queued).toHaveLength(2);
    // As if these had never been queued: no worker starts anew, so the schedule queues them again.
    await service.query('delete from ops.job');
    await expect.poll(queued).toHaveLength(2);
    stop.abort();
    await keeping;
  });

  it('is queued later when the database was away at first', async () => {
    let away = true;
    const readAccounts = async (): Promise<readonly bigint[]> => {
      if (!away) return session.readAccounts();
      away = false;
      throw new Error('terminating connection');
    };
    const stop = new AbortController();
    const keeping = queueDueNights(
      keeper({ session: { ...session, readAccounts }, signal: stop.signal, sleep: atOnce }),
    );
    await expect.poll(queued).toHaveLength(2);
    stop.abort();
    await keeping;
  });

  it('is queued once, however often and wherever it is done', async () => {
    await Promise.all(Array.from({ length: 5 }, () => queueNight(keeper())));
    expect(await queued()).toHaveLength(2);
  });

  it('stands between what is done before and after it, and comes although that failed', async () => {
    const order: string[] = [];
    const step = (name: string, fails: boolean): NightStep => ({
      name,
      run: async () => {
        order.push(`${name} sees ${(await queued()).length}`);
        if (fails) throw new Error('no rates');
      },
    });
    const before = [step('rates', true), step('other', false)];
    await queueNight(keeper({ before, after: [step('retention', true), step('scrub', false)] }));
    expect(order).toEqual(['rates sees 0', 'other sees 0', 'retention sees 2', 'scrub sees 2']);
    expect(await queued()).toHaveLength(2);
  });

  it('is queued with the jitter of the settings, in milliseconds', async () => {
    const asked: number[] = [];
    const enqueueNight: QueueSession['queue']['enqueueNight'] = async ({ jitter_ms }) => {
      asked.push(jitter_ms);
      return [];
    };
    const settings = readSettings({ JITTER_SECONDS: '7' });
    await queueNight(
      keeper({ settings, session: { ...session, queue: { ...session.queue, enqueueNight } } }),
    );
    expect(asked).toEqual([7_000]);
  });

  it('that cannot be queued is not tried again once the program is stopped', async () => {
    const stop = new AbortController();
    let tries = 0;
    const readAccounts = async (): Promise<readonly bigint[]> => {
      stop.abort();
      tries += 1;
      if (tries === 1) throw new Error('terminating connection');
      return [];
    };
    await queueDueNights(
      keeper({ session: { ...session, readAccounts }, signal: stop.signal, sleep: atOnce }),
    );
    expect(tries).toBe(1);
  });

  it('logs a failed step, but not an aborted one', async () => {
    const stop = new AbortController();
    const logged: unknown[] = [];
    const logger = {
      ...createLogger('silent'),
      error: (event: string, fields: object) => logged.push([event, fields]),
    };
    const fails: NightStep = { name: 'scrub', run: () => Promise.reject(new Error('no store')) };
    const stops: NightStep = {
      name: 'retention',
      run: async () => {
        stop.abort();
        throw new Error('stopped by SIGTERM');
      },
    };
    await takeSteps([fails, stops], keeper({ signal: stop.signal, logger }));
    expect(logged).toMatchObject([['night.hindered', { step: 'scrub' }]]);
  });

  it('that was missed while the host slept is queued when the scheduler notices', async () => {
    const stop = new AbortController();
    const keeping = queueDueNights(keeper({ signal: stop.signal }));
    await expect.poll(queued).toHaveLength(2);
    await service.query('delete from ops.job');
    // As node-cron raises it when it wakes up after the minute of the schedule.
    const tasks = [...getTasks().values()] as unknown as readonly { readonly emitter: EventEmitter }[];
    expect(tasks).toHaveLength(1);
    tasks[0]?.emitter.emit('execution:missed');
    await expect.poll(queued).toHaveLength(2);
    stop.abort();
    await keeping;
  });

  describe.each(ZONES)('on a host in %s', (zone, offset) => {
    useZone(zone, offset);

    it('is due by the clock of UTC', async () => {
      const stop = new AbortController();
      const settings = readSettings({ SCHEDULE: '17 3 * * *', JITTER_SECONDS: '0' });
      const keeping = queueDueNights(keeper({ settings, signal: stop.signal }));
      const next = [...getTasks().values()].map((task) => task.getNextRun()?.toISOString().slice(10));
      expect(next).toEqual(['T03:17:00.000Z']);
      stop.abort();
      await keeping;
    });
  });

  it('is that of the database, when this machine is a minute ahead and calls too early', async () => {
    // Due at 02:00; the database shows 01:59:10 and this machine 02:00:00, 50 s ahead.
    const due = Date.parse('2026-07-15T02:00:00Z');
    const waits: number[] = [];
    let database_ms = due - 50_000;
    await queueNight(
      keeper({
        settings: readSettings({ JITTER_SECONDS: '0' }),
        readClocks: async () => ({
          ...agreeingAt(BigInt(database_ms) * 1000n),
          database_offset: -50_000_000n,
        }),
        sleep: async (milliseconds) => {
          waits.push(milliseconds);
          database_ms += milliseconds;
        },
      }),
    );
    expect(waits).toEqual([50_000]);
    expect(await nights()).toEqual(['2026-07-15']);
  });

  it('is refused by a machine two days ahead, which says so and queues nothing', async () => {
    const now = await session.readDatabaseClock();
    const readClocks = async (): Promise<Clocks> => ({
      ...agreeingAt(now),
      // 172,800 s: two days.
      database_offset: -172_800_000_000n,
      store_offset: -172_800_000_000n,
    });
    await expect(queueNight(keeper({ readClocks, sleep: never }))).rejects.toMatchObject({
      code: 'clocks_disagree',
      message:
        "This machine's clock is 172800 s ahead of the database's clock and the store's clock; nothing was queued.",
    });
    expect(await queued()).toEqual([]);
  });

  it('leaves out an account whose tables are switched off, which a build asks again', async () => {
    const owner = await database.client('cf_owner');
    await owner.query(
      'update ledger.accounts set reporting_enabled_at = null, reporting_enabled_by_id = null where id = 2',
    );
    await queueNight(keeper());
    expect(await queued()).toEqual([{ account: 1, due: true }]);
    expect([await session.reports(1n), await session.reports(2n)]).toEqual([true, false]);
  });
});
