import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import {
  type Founded,
  addCost,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
  insert,
  lockMonth,
  reopenMonth,
} from '../support/ledger-rows.ts';
import { blockersOf, outcomeOf, processOf } from '../support/waiting.ts';

const MARCH = '2026-03-01';
const REFUSED = { code: '23001', message: expect.stringContaining('month 2026-03 is locked') };

let database: TestDatabase;
let owner: Client;
let writer: Client;
let closer: Client;
let reader: Client;
let writerProcess: number;
let closerProcess: number;
let home: Founded;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  writer = await database.client('cf_writer');
  closer = await database.client('cf_writer');
  reader = await database.client('cf_reader');
  writerProcess = await processOf(writer);
  closerProcess = await processOf(closer);
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
  await addCost(owner, home); // 100.00
});

const begin = (db: Client, isolation = 'read committed'): Promise<unknown> =>
  db.query(`begin isolation level ${isolation}; set local app.account_id = '${home.account}'`);
const lockMarch = (): Promise<void> => lockMonth(closer, home.account, MARCH);

/** What the reader's transaction sees of March, at the one moment fixed when it began. */
async function seenByReader(): Promise<{ locked: boolean; cents: string }> {
  const { rows } = await reader.query<{ locked: boolean; cents: string }>(
    `select exists (select from ledger.accounting_months where account_id = $1 and status = 'locked') as locked,
            (select sum(amount_cents)::text from ledger.cost_entries where account_id = $1) as cents`,
    [home.account],
  );
  const [seen] = rows;
  if (seen === undefined) throw new Error('an aggregate without a row');
  return seen;
}

describe('closing a month while a cost is written (F-17)', () => {
  it('waits for a writer who came first, and the closed month has the row', async () => {
    await begin(writer);
    const cost = await addCost(writer, home, { amount_cents: 2500 });
    const closed = inAccount(closer, home.account, lockMarch);
    expect(await blockersOf(owner, closerProcess)).toEqual([writerProcess]);
    await begin(reader, 'repeatable read');
    expect(await seenByReader()).toEqual({ locked: false, cents: '10000' });
    await writer.query('commit');
    await closed;
    expect(await seenByReader()).toEqual({ locked: false, cents: '10000' });
    await reader.query('commit');
    await begin(reader, 'repeatable read');
    // 100.00 + 25.00, and nothing comes after it.
    expect(await seenByReader()).toEqual({ locked: true, cents: '12500' });
    await reader.query('commit');
    await expect(
      inAccount(writer, home.account, () =>
        writer.query('update ledger.cost_entries set amount_cents = 1 where id = $1', [cost]),
      ),
    ).rejects.toMatchObject(REFUSED);
  });

  it('holds a writer who comes second, and refuses him', async () => {
    await begin(closer);
    await lockMarch();
    const written = inAccount(writer, home.account, () => addCost(writer, home, { amount_cents: 2500 }));
    const outcome = outcomeOf(written);
    expect(await blockersOf(owner, writerProcess)).toEqual([closerProcess]);
    await closer.query('commit');
    await begin(reader, 'repeatable read');
    expect(await seenByReader()).toEqual({ locked: true, cents: '10000' });
    expect(await outcome).toMatchObject(REFUSED);
    expect(await seenByReader()).toEqual({ locked: true, cents: '10000' });
    await reader.query('commit');
  });

  it('lets a held writer go on when the close is given up', async () => {
    await begin(closer);
    await lockMarch();
    const written = inAccount(writer, home.account, () => addCost(writer, home));
    await blockersOf(owner, writerProcess);
    await closer.query('rollback');
    await expect(written).resolves.toBeTypeOf('bigint');
  });

  it('fails a writer whose snapshot is older than the close', async () => {
    await begin(writer, 'repeatable read');
    await writer.query('select from ledger.cost_entries');
    await inAccount(closer, home.account, lockMarch);
    await expect(addCost(writer, home)).rejects.toMatchObject({ code: '40001' });
    await writer.query('rollback');
  });

  it('fails a writer whose snapshot is older than a reopening followed by a close', async () => {
    await inAccount(closer, home.account, lockMarch);
    await begin(writer, 'repeatable read');
    await writer.query('select from ledger.cost_entries');
    await inAccount(closer, home.account, () => reopenMonth(closer, home.account, MARCH));
    await inAccount(closer, home.account, lockMarch);
    await expect(addCost(writer, home)).rejects.toMatchObject({ code: '40001' });
    await writer.query('rollback');
  });

  it('is refused in a transaction that could not see what was committed meanwhile', async () => {
    await expect(inAccount(closer, home.account, lockMarch, 'repeatable read')).rejects.toMatchObject({
      code: '25000',
    });
  });
});

describe('approving value while its month is closed', () => {
  it('waits and is refused', async () => {
    const entry = await addValue(owner, home, { status: 'reviewed' });
    await begin(closer);
    await lockMarch();
    const approved = inAccount(writer, home.account, () =>
      writer.query("update ledger.value_entries set status = 'approved' where id = $1", [entry]),
    );
    const outcome = outcomeOf(approved);
    expect(await blockersOf(owner, writerProcess)).toEqual([closerProcess]);
    await closer.query('commit');
    expect(await outcome).toMatchObject(REFUSED);
  });
});

describe('writers of one account', () => {
  it('do not wait for each other', async () => {
    await begin(writer);
    await addCost(writer, home);
    // Were it to wait, it would be for ever: the first commits only after it.
    await inAccount(closer, home.account, () => addCost(closer, home));
    const value = await inAccount(closer, home.account, () => addValue(closer, home));
    await writer.query('commit');
    expect(value).toBeTypeOf('bigint');
  });

  it('do not wait for a month closed in another account', async () => {
    const neighbour = await foundAccount(owner);
    await begin(closer);
    await lockMarch();
    await expect(inAccount(writer, neighbour.account, () => addCost(writer, neighbour))).resolves.toBeTypeOf(
      'bigint',
    );
    await closer.query('rollback');
  });
});

describe('a close that touches what a writer is changing', () => {
  // Each statement takes the gate before it locks an entry, so a close under way is met there and not at the entry.
  const changes: [string, (initiative: bigint) => Promise<unknown>][] = [
    ['a cost changed', () => writer.query("update ledger.cost_entries set notes = 'late'")],
    ['a cost deleted', () => writer.query('delete from ledger.cost_entries')],
    ['value sent back', () => writer.query("update ledger.value_entries set status = 'disputed'")],
    ['its initiative deleted', (id) => writer.query('delete from ledger.initiatives where id = $1', [id])],
    [
      'its initiative marked',
      (id) => writer.query('update ledger.initiatives set is_sample = true where id = $1', [id]),
    ],
    [
      'going live moved',
      (id) => writer.query('update ledger.initiatives set went_live_at = now() where id = $1', [id]),
    ],
    [
      'its vendor merged',
      async () => {
        const gone = await writer.query<{ id: bigint }>("select id from ledger.vendors where name = 'Old'");
        const kept = await writer.query<{ id: bigint }>("select id from ledger.vendors where name = 'New'");
        await writer.query('update ledger.vendors set merged_into_id = $1 where id = $2', [
          kept.rows[0]?.id,
          gone.rows[0]?.id,
        ]);
      },
    ],
  ];

  it.each(changes)('never ends in a deadlock: %s', async (_name, change) => {
    const initiative = await addInitiative(owner, home.account);
    const there = { ...home, initiative };
    await addCost(owner, there, { vendor_name: 'Old' });
    await addCost(owner, there, { vendor_name: 'New' });
    await addValue(owner, there);
    await begin(closer);
    // The gate is held before the entries are touched: the closer stops between the two.
    await closer.query(
      "insert into ledger.accounting_months (account_id, month, status) values ($1, $2, 'in_review')",
      [home.account, MARCH],
    );
    const changed = inAccount(writer, home.account, () => change(initiative));
    const outcome = outcomeOf(changed);
    expect(await blockersOf(owner, writerProcess)).toEqual([closerProcess]);
    await closer.query("update ledger.accounting_months set status = 'locked', locked_at = now()");
    await closer.query('commit');
    expect(await outcome).not.toMatchObject({ code: '40P01' });
  });

  it('never ends in a deadlock: an approval decided', async () => {
    const entry = await addValue(owner, home);
    await begin(closer);
    await closer.query(
      "insert into ledger.accounting_months (account_id, month, status) values ($1, $2, 'in_review')",
      [home.account, MARCH],
    );
    const decided = inAccount(writer, home.account, () =>
      insert(writer, 'ledger.approval_decisions', {
        account_id: home.account,
        subject_kind: 'value_entry',
        subject_id: entry,
        subject_title: 'Saved hours',
        decision: 'approved',
        source: 'direct',
        decided_at: '2026-04-05Z',
      }),
    );
    const outcome = outcomeOf(decided);
    await blockersOf(owner, writerProcess);
    await closer.query("update ledger.accounting_months set status = 'locked', locked_at = now()");
    await closer.query('commit');
    expect(await outcome).toMatchObject(REFUSED);
  });
});
