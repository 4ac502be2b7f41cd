/** A conversion beside others who work: a month being closed, rows that are held or changed, another host, a stop. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { convert, type ConversionRequest } from '../../../src/ledger/convert/convert.ts';
import type { ConvertedAccount } from '../../../src/ledger/convert/convert-account.ts';
import { addCost, type Founded, foundAccount, inAccount, lockMonth } from '../../support/ledger-rows.ts';
import { blockersOf, processOf } from '../../support/waiting.ts';
import { type ConvertingLedger, openConversion, standing, writtenBy } from './conversion-harness.ts';

const TODAY = '2026-04-01';
/** 100.00 euros of March: (1.10 + 1.20) / 2 = 1.15. */
const AVERAGE = '11500 at 1.15, 2026-03-02..2026-03-31';

let ledger: ConvertingLedger;
let home: Founded;
let other: Client;
let watcher: Client;
let converter: number;
let theOther: number;
beforeAll(async () => {
  ledger = await openConversion();
  await ledger.publish(
    '2026-03-02 USD 1.10',
    '2026-03-31 USD 1.20',
    '2026-03-02 GBP 0.88',
    '2026-03-31 GBP 0.80',
  );
  other = await ledger.database.client('cf_owner');
  watcher = await ledger.database.admin();
  [converter, theOther] = [await processOf(ledger.owner), await processOf(other)];
});
afterAll(() => ledger.database.drop());
beforeEach(async () => {
  home = await foundAccount(ledger.owner);
});

const addEuros = (row = {}): Promise<bigint> =>
  inAccount(ledger.owner, home.account, () => addCost(ledger.owner, home, { currency: 'EUR', ...row }));
const run = (request: Partial<ConversionRequest> = {}): Promise<ConvertedAccount> =>
  ledger.run(home.account, TODAY, request);
const stands = (id: bigint): Promise<string> => standing(watcher, 'cost_entries', id);
/** The other session begins to write into the account. */
const otherBegins = (): Promise<unknown> =>
  other.query(`begin; set local app.account_id = '${home.account}'`);
const otherHolds = (id: bigint): Promise<unknown> =>
  other.query('update ledger.cost_entries set notes = $2 where id = $1', [id, 'held']);

describe('a month that is being closed', () => {
  it('is waited for; then its costs keep what they have, and the rest of the batch is converted', async () => {
    const closed = await addEuros();
    const open = await addEuros({ period_start: '2026-02-01', period_end: '2026-03-31' });
    await otherBegins();
    await lockMonth(other, home.account, '2026-03-01');
    const running = run({ lockLimitMs: 60_000 });
    // Planned already, and stopped at the gate.
    expect(await blockersOf(watcher, converter)).toEqual([theOther]);
    await other.query('commit');
    expect(await running).toMatchObject({
      currencies: [{ currency: 'EUR', written: 1, entries: { locked_without_rate: 1, converted: 1 } }],
      held: 0,
    });
    expect([await stands(closed), await stands(open)]).toEqual(['nothing', AVERAGE]);
  });
});

describe('a row that another session holds', () => {
  it('is left to the next run with its batch, and counted; other batches are converted', async () => {
    const [free, held] = [await addEuros(), await addEuros()];
    await otherBegins();
    await otherHolds(held);
    const first = await run({ batchRows: 1, lockLimitMs: 20 });
    expect(first).toMatchObject({ held: 1, currencies: [{ written: 1, entries: { converted: 2 } }] });
    expect([await stands(free), await stands(held)]).toEqual([AVERAGE, 'nothing']);
    await other.query('commit');
    expect(await run()).toMatchObject({ held: 0, currencies: [{ written: 1 }] });
    expect(await stands(held)).toBe(AVERAGE);
  });

  it('is counted with each row of its batch that still has to be written, and with no other', async () => {
    const first = await addEuros();
    await run();
    const [second, held] = [await addEuros(), await addEuros()];
    await otherBegins();
    await otherHolds(held);
    const batches: unknown[] = [];
    const left = await run({ lockLimitMs: 20, onBatch: (_, batch) => void batches.push(batch) });
    // One has its rate since the first run.
    expect([left.held, batches]).toEqual([2, []]);
    expect(left.currencies).toEqual([{ currency: 'EUR', written: 0, entries: { converted: 3 } }]);
    await other.query('commit');
    const last = await run({ onBatch: (_, batch) => void batches.push(batch) });
    expect([last.held, batches]).toEqual([0, [{ table: 'cost_entries', rows: 3, written: 2 }]]);
    for (const id of [first, second, held]) expect(await stands(id)).toBe(AVERAGE);
    // What a batch was given to wait is not what the session's next statement waits.
    expect((await ledger.owner.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
  });

  it('and comes back in another currency is not given the rate of its earlier currency', async () => {
    const id = await addEuros();
    await otherBegins();
    await other.query("update ledger.cost_entries set currency = 'GBP' where id = $1", [id]);
    const running = run({ lockLimitMs: 60_000 });
    await blockersOf(watcher, converter);
    await other.query('commit');
    expect(writtenBy(await running)).toBe(0);
    expect(await stands(id)).toBe('nothing');
    // 1.10 / 0.88 = 1.25 and 1.20 / 0.80 = 1.5: 1.375
    await run();
    expect(await stands(id)).toBe('13750 at 1.375, 2026-03-02..2026-03-31');
  });

  it('and that waits for the conversion in turn: the deadlock undoes the batch, which is converted at the end', async () => {
    const [later, held] = [await addEuros(), await addEuros()];
    const third = await ledger.database.client('cf_owner');
    await third.query('begin');
    await third.query('select from ledger.cost_entries where id = $1 for update', [later]);
    // The other session never looks for deadlocks itself, so the one who finds it is the conversion.
    const locker = await ledger.database.admin();
    const theLocker = await processOf(locker);
    await locker.query(
      `begin; set local deadlock_timeout = '10min'; set local app.account_id = '${home.account}'`,
    );
    await locker.query("update ledger.cost_entries set notes = 'held' where id = $1", [held]);
    const { signal } = new AbortController();
    const running = convert(ledger.owner, {
      account_id: home.account,
      today: TODAY,
      signal,
      lockLimitMs: 60_000,
    });
    // The conversion holds the gate and waits for the first row; the closing of the month waits for the gate.
    expect(await blockersOf(watcher, converter)).toEqual([await processOf(third)]);
    const locking = lockMonth(locker, home.account, '2026-02-01');
    expect(await blockersOf(watcher, theLocker)).toEqual([converter]);
    // Now the conversion comes to the second row, which waits for the conversion.
    await third.query('commit');
    await locking;
    await locker.query('commit');
    const { accounts, failures } = await running;
    expect([failures, accounts.map(({ held: left }) => left), accounts.map(writtenBy)]).toEqual([
      [],
      [0],
      [2],
    ]);
    expect([await stands(later), await stands(held)]).toEqual([AVERAGE, AVERAGE]);
  });

  it('keeps no other writer of the account waiting while the conversion waits', async () => {
    const [free, held] = [await addEuros(), await addEuros()];
    await otherBegins();
    await otherHolds(held);
    const running = run({ lockLimitMs: 60_000 });
    await blockersOf(watcher, converter);
    const third = await ledger.database.client('cf_writer');
    await third.query(`begin; set local app.account_id = '${home.account}'; set local lock_timeout = '5s'`);
    await addCost(third, home);
    await third.query('commit');
    expect(await stands(free)).toBe('nothing');
    await other.query('commit');
    expect(writtenBy(await running)).toBe(2);
  });
});

it('two hosts convert an account one after the other, and the second finds nothing to do', async () => {
  const id = await addEuros();
  const host = await ledger.database.client('cf_owner');
  const theHost = await processOf(host);
  await otherBegins();
  await otherHolds(id);
  const first = run({ lockLimitMs: 60_000 });
  await blockersOf(watcher, converter);
  const { signal } = new AbortController();
  const second = convert(host, { account_id: home.account, today: TODAY, signal });
  expect(await blockersOf(watcher, theHost)).toEqual([converter]);
  await other.query('commit');
  expect(writtenBy(await first)).toBe(1);
  expect((await second).accounts.map(writtenBy)).toEqual([0]);
});

it('a run that is stopped keeps what it wrote, and the next one goes on from there', async () => {
  const ids = [await addEuros(), await addEuros(), await addEuros()];
  const stop = new AbortController();
  const stopped = run({
    batchRows: 1,
    signal: stop.signal,
    onBatch: () => stop.abort(new Error('stopped by SIGINT')),
  });
  await expect(stopped).rejects.toThrow('stopped by SIGINT');
  const stood: string[] = [];
  for (const id of ids) stood.push(await stands(id));
  expect(stood).toEqual([AVERAGE, 'nothing', 'nothing']);
  expect(writtenBy(await run())).toBe(2);
});

it('an account that fails keeps what it has, and the next one is converted', async () => {
  const failing = await addEuros();
  const { account } = home;
  home = await foundAccount(ledger.owner);
  const id = await addEuros();
  await ledger.owner.query(
    `alter table ledger.cost_entries add constraint broken check (account_id <> ${account} or usd_rate is null) not valid`,
  );
  const { signal } = new AbortController();
  const { failures } = await convert(ledger.owner, { today: TODAY, signal });
  await ledger.owner.query('alter table ledger.cost_entries drop constraint broken');
  expect(failures).toMatchObject([{ account_id: account, cause: { code: '23514' } }]);
  expect([await stands(failing), await stands(id)]).toEqual(['nothing', AVERAGE]);
});

it('a conversion without any published rate takes nothing from entries that were loaded with theirs', async () => {
  const id = await addEuros({
    usd_rate: '1.15',
    usd_rate_from: '2026-03-02',
    usd_rate_through: '2026-03-31',
  });
  const { signal } = new AbortController();
  expect(await convert(ledger.owner, { today: '2026-03-01', signal })).toEqual({
    as_of: '2026-03-01',
    published_through: null,
    accounts: [],
    failures: [],
  });
  expect(await stands(id)).toBe(AVERAGE);
});

it('a conversion refuses an unknown account, and reads today’s date from the database by default', async () => {
  const { signal } = new AbortController();
  await expect(convert(ledger.owner, { account_id: 999n, signal })).rejects.toMatchObject({
    code: 'not_found',
  });
  const { rows } = await watcher.query<{ today: string }>("select (now() at time zone 'UTC')::date as today");
  expect((await convert(ledger.owner, { account_id: home.account, signal })).as_of).toBe(rows[0]?.today);
});
