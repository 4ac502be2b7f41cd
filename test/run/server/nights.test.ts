import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextCommand } from '../../../src/run/builders/next-command.ts';
import { ownNights, readNightContext, readOwnNights } from '../../../src/run/server/nights.ts';
import { type AccountNight, readAccountNights } from '../../../src/ops/account-nights.ts';
import { NIGHT, openTestQueue, type TestQueue } from '../../ops/queue-harness.ts';

const MESSAGE =
  'reported_totals fy2026-q1: cash_value_cents is 120000 cents, expected 119900 cents: the rows add up to it; nothing was published.';

const REFUSAL = { code: 'audit_refused', message: MESSAGE, hint: null, data: { cents_off: 100 } };

function aNight(
  night: string,
  code: string | null,
  message: string | null = null,
  cents_off: number | null = null,
  os_code: string | null = null,
  step: string | null = null,
): AccountNight {
  return {
    night,
    state: code === null ? 'published' : 'dead',
    tries: 1,
    code,
    message,
    cents_off,
    os_code,
    step,
  };
}

describe('a night that went wrong', () => {
  it('is shown with the difference in cents and its first night', () => {
    const [newest] = ownNights(7n, [
      aNight('2026-07-15', 'audit_refused', MESSAGE, 100),
      aNight('2026-07-14', 'audit_refused', MESSAGE, 100),
      aNight('2026-07-13', 'ledger_locked'),
      aNight('2026-07-12', 'audit_refused', MESSAGE),
    ]);
    expect(newest?.trouble).toEqual({
      code: 'audit_refused',
      explanation: MESSAGE,
      cents_off: 100,
      since: '2026-07-14',
      next: nextCommand(
        { account_id: '7', failure: { code: 'audit_refused' }, started_by: 'night' },
        'failed',
      ),
    });
  });

  it('began with the oldest that is remembered when all went wrong alike', () => {
    const nights = ['2026-07-15', '2026-07-14', '2026-07-13'].map((day) => aNight(day, 'ledger_locked'));
    expect(ownNights(7n, nights).map(({ trouble }) => trouble?.since)).toEqual(
      nights.map(() => '2026-07-13'),
    );
  });

  it.each(['spool_failed', 'store_self_test_failed'])(
    'leads to prune where the disk was full: %s',
    (code) => {
      const [newest] = ownNights(7n, [aNight('2026-07-15', code, 'at 10.0.0.1', null, 'ENOSPC')]);
      expect(newest?.trouble?.next.command).toBe('npx --no crossfoot prune');
      const [other] = ownNights(7n, [aNight('2026-07-15', code, 'at 10.0.0.1', null, 'EACCES')]);
      expect(other?.trouble?.next.command).toBe('npx --no crossfoot enqueue --account 7');
    },
  );

  it.each(['database_unreachable', 'unforeseen'])('says nothing of the machine: %s', (code) => {
    const [newest] = ownNights(7n, [aNight('2026-07-15', code, 'at 10.0.0.1')]);
    expect(JSON.stringify(newest)).not.toContain('10.0.0.1');
    expect(newest?.trouble?.cents_off).toBeNull();
  });

  it('keeps the words of a folder that refused a write, and names its owner and rights, not credentials', () => {
    const refused = aNight('2026-07-15', 'store_unavailable', 'at 10.0.0.1', null, 'EPERM', 'create');
    expect(ownNights(7n, [refused])[0]?.trouble).toMatchObject({
      explanation: 'The object store refused a call: the folder refused to create an object (EPERM).',
      next: { why: 'once the owner and rights of the folder of OBJECT_STORE let this user write' },
    });
    const strange = aNight('2026-07-15', 'store_unavailable', null, null, 'EPERM', 'create /srv/secret');
    expect(ownNights(7n, [strange])[0]?.trouble?.explanation).toBe('The object store refused a call.');
    const bucket = ownNights(7n, [aNight('2026-07-15', 'store_unavailable', 'at 10.0.0.1')]);
    expect(bucket[0]?.trouble?.next.why).toBe('once the store accepts the credentials');
  });

  it('has the words of an unexpected error if its code is a name that every object inherits', () => {
    const [newest] = ownNights(7n, [aNight('2026-07-15', 'toString')]);
    expect(newest?.trouble).toMatchObject({
      explanation: 'An unexpected error; the log has the details.',
      next: nextCommand({ account_id: '7', failure: { code: 'unforeseen' }, started_by: 'night' }, 'failed'),
    });
  });

  it('is shown without cents where rows are missing', () => {
    const lost = 'costs: the file holds 1 rows, the bare ledger counts 2; nothing was published.';
    expect(ownNights(7n, [aNight('2026-07-15', 'table_lost_rows', lost)])[0]?.trouble).toMatchObject({
      explanation: lost,
      cents_off: null,
    });
  });
});

describe('the nights in the queue', () => {
  let test: TestQueue;
  beforeAll(async () => {
    test = await openTestQueue();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('are those of the account alone, fourteen days back, the newest first', async () => {
    await test.enqueue([1n, 2n], { ...NIGHT, day: '2026-07-02' });
    await test.enqueue([1n, 2n], { ...NIGHT, day: '2026-07-01' });
    await test.enqueue([1n, 2n]);
    for (let build = await test.queue.take(); build !== null; build = await test.queue.take()) {
      const refused = build.night === NIGHT.day && build.account_id === 1n;
      if (refused) await test.queue.fail(build, REFUSAL);
      else await test.queue.complete(build, { outcome: 'published' });
    }
    // 2026-07-15T03:00:00Z.
    const now = BigInt(Date.parse('2026-07-15T03:00:00Z')) * 1000n;
    const told = async (account: bigint) =>
      (await readOwnNights(test.service, account, now)).map(({ night, state, trouble }) => [
        night,
        state,
        trouble?.cents_off,
      ]);
    expect(await told(1n)).toEqual([
      ['2026-07-15', 'refused', 100],
      ['2026-07-02', 'published', undefined],
    ]);
    expect(await told(2n)).toEqual([
      ['2026-07-15', 'published', undefined],
      ['2026-07-02', 'published', undefined],
    ]);
    expect(await told(3n)).toEqual([]);
  });

  it('show the code of a night without a further retry, and no cancelled build', async () => {
    await test.service.query('delete from ops.job');
    await test.enqueue([1n]);
    await test.service.query('update ops.job set retry_limit = 0');
    const build = await test.queue.take();
    if (build === null) throw new Error('the queued build was not taken');
    // As a worker stored it before it stored the facts behind a message.
    await test.queue.fail(build, { code: 'audit_refused', message: MESSAGE, hint: null });
    await test.enqueue([1n], { ...NIGHT, day: '2026-07-14' });
    await test.service.query("update ops.job set state = 'cancelled' where singleton_key = '2026-07-14'");
    const nights = await readAccountNights(test.service, 1n, ['2026-07-15', '2026-07-14']);
    expect(nights).toEqual([
      {
        night: '2026-07-15',
        state: 'dead',
        tries: 1,
        code: 'audit_refused',
        message: MESSAGE,
        cents_off: null,
        os_code: null,
        step: null,
      },
    ]);
  });

  it('have the retry that follows in the place of a build', async () => {
    await test.service.query('delete from ops.job');
    await test.enqueue([1n]);
    const build = await test.queue.take();
    if (build === null) throw new Error('the queued build was not taken');
    await test.queue.fail(build, REFUSAL);
    await test.service.query("update ops.job set start_after = '2030-07-15T02:31:40Z'");
    const now = BigInt(Date.parse('2026-07-15T02:30:00Z')) * 1000n;
    const follows = 'a retry follows at about 2030-07-15 02:31 UTC, try 2 of 6';
    expect((await readOwnNights(test.service, 1n, now))[0]?.trouble?.next).toEqual({
      command: 'npx --no crossfoot why --account 1',
      why: `${follows}; it publishes once the rows named above are right in the ledger`,
    });
    const places = { dataDir: '/nowhere', schedule: '0 2 * * *' };
    expect((await readNightContext(places, test.service, 1n, now)).pending).toMatchObject({ tries: 2 });
  });

  it('have the code of the operating system where the error has one', async () => {
    await test.service.query('delete from ops.job');
    await test.enqueue([1n]);
    const build = await test.queue.take();
    if (build === null) throw new Error('the queued build was not taken');
    const data = { code: 'ENOSPC' };
    await test.queue.fail(build, { code: 'spool_failed', message: MESSAGE, hint: null, data });
    expect(await readAccountNights(test.service, 1n, ['2026-07-15'])).toMatchObject([{ os_code: 'ENOSPC' }]);
  });
});
