/** Queueing nights: the missed one at once, each account once, whatever is in the way. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NightStep } from '../../src/commands/night-steps.ts';
import { type NightKeeper, keepNights, queueNight } from '../../src/commands/queue-night.ts';
import { type QueueSession, openQueueSession } from '../../src/commands/queue-session.ts';
import { PACE } from '../../src/commands/surroundings.ts';
import { readSettings } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

// The company's ledger: accounts 1 and 2 report, 3 has a plan without the API.
let database: TestDatabase;
let session: QueueSession;
beforeAll(async () => {
  database = await createDatabase('template_company');
  session = await openQueueSession({
    databases: { ledgerUrl: database.url('cf_reader'), serviceUrl: database.url('cf_service') },
    logger: createLogger('silent'),
    supervise: false,
  });
});
beforeEach(async () => {
  await (await database.client('cf_service')).query('delete from ops.job');
});
afterAll(async () => {
  await session.close();
  await database.drop();
});

function keeper(parts: Partial<NightKeeper> = {}): NightKeeper {
  return {
    // Due at midnight, so that today's night was missed whenever this runs.
    settings: readSettings({ SCHEDULE: '0 0 * * *', JITTER_SECONDS: '0' }),
    session,
    logger: createLogger('silent'),
    signal: new AbortController().signal,
    databases: { ledgerUrl: database.url('cf_reader'), ownerUrl: null },
    before: [],
    after: [],
    sleep: PACE.sleep,
    ...parts,
  };
}

/** A wait that is over before it began. */
const atOnce = (): Promise<void> => Promise.resolve();

async function queued(): Promise<readonly unknown[]> {
  const { rows } = await (
    await database.client('cf_service')
  ).query<{ account: number; due: boolean }>(
    `select (data ->> 'account_id')::int as account, start_after <= now() as due from ops.job order by 1`,
  );
  return rows;
}

describe('a night', () => {
  it('that was missed is queued at the start, due at once, for the accounts that report', async () => {
    const stop = new AbortController();
    const keeping = keepNights(keeper({ signal: stop.signal }));
    await expect.poll(queued).toEqual([
      { account: 1, due: true },
      { account: 2, due: true },
    ]);
    stop.abort();
    await keeping;
    expect(await session.readAccounts()).toEqual([1n, 2n]);
  });

  it('is queued when it falls due, by whoever is there', async () => {
    const stop = new AbortController();
    const settings = { ...readSettings({ JITTER_SECONDS: '0' }), schedule: '* * * * * *' }; // every second
    const keeping = keepNights(keeper({ settings, signal: stop.signal }));
    await expect.poll(queued).toHaveLength(2);
    // As if these had never been queued: nobody starts anew, so it is the schedule that queues them again.
    await (await database.client('cf_service')).query('delete from ops.job');
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
    const keeping = keepNights(
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
