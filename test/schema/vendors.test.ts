import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import {
  type Founded,
  type Row,
  addCost,
  foundAccount,
  inAccount,
  lockMonth,
} from '../support/ledger-rows.ts';
import { blockersOf, processOf } from '../support/waiting.ts';

let database: TestDatabase;
let owner: Client;
let writer: Client;
let other: Client;
let home: Founded;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  writer = await database.client('cf_writer');
  other = await database.client('cf_writer');
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
});

const write = <Result>(work: () => Promise<Result>): Promise<Result> => inAccount(writer, home.account, work);
const buy = (vendor_name: string | null, row: Row = {}): Promise<bigint> =>
  write(() => addCost(writer, home, { vendor_name, ...row }));

const vendorOf = async (cost: bigint): Promise<bigint | null | undefined> => {
  const { rows } = await owner.query<{ vendor_id: bigint | null }>(
    'select vendor_id from ledger.cost_entries where account_id = $1 and id = $2',
    [home.account, cost],
  );
  return rows[0]?.vendor_id;
};

const vendorsOf = async (costs: readonly bigint[]): Promise<Set<bigint | null | undefined>> => {
  const vendors = new Set<bigint | null | undefined>();
  for (const cost of costs) vendors.add(await vendorOf(cost));
  return vendors;
};

const vendorNamed = async (name: string): Promise<bigint> => {
  const { rows } = await owner.query<{ id: bigint }>(
    'select id from ledger.vendors where account_id = $1 and name = $2',
    [home.account, name],
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`no vendor is named ${name}`);
  return found.id;
};

const MERGE = 'update ledger.vendors set merged_into_id = $2 where id = $1';
const merge = (from: bigint, into: bigint): Promise<unknown> =>
  write(() => writer.query(MERGE, [from, into]));

describe('a vendor’s name', () => {
  it('makes the vendor once, however it is spaced and cased, in any script', async () => {
    const costs: bigint[] = [];
    for (const name of ['Élan Vital', ' élan vital ', 'ÉLAN VITAL\t', '\u00a0Élan VITAL\n'])
      costs.push(await buy(name));
    expect(await vendorsOf(costs)).toEqual(new Set([await vendorNamed('Élan Vital')]));
    const straße = await vendorOf(await buy('Große Straße'));
    expect(await vendorOf(await buy('GROSSE STRASSE'))).toBe(straße);
  });

  it('stays on the entry as it was recorded', async () => {
    const cost = await buy(' acme ');
    const { rows } = await owner.query('select vendor_name from ledger.cost_entries where id = $1', [cost]);
    expect(rows).toEqual([{ vendor_name: ' acme ' }]);
  });

  it('that is missing or blank names no vendor', async () => {
    expect(await vendorOf(await buy(null))).toBeNull();
    expect(await vendorOf(await buy(' \t'))).toBeNull();
  });

  it('that is corrected repoints the entry', async () => {
    const cost = await buy('Acme');
    await write(() =>
      writer.query("update ledger.cost_entries set vendor_name = 'Bolt' where id = $1", [cost]),
    );
    expect(await vendorOf(cost)).toBe(await vendorNamed('Bolt'));
  });

  it('that two writers bring at once makes one vendor: the second waits for the first', async () => {
    await other.query(`begin; set local app.account_id = '${home.account}'`);
    const first = await addCost(other, home, { vendor_name: 'Newcomer' });
    const second = await processOf(writer);
    const bought = buy('newcomer');
    expect(await blockersOf(owner, second)).toEqual([await processOf(other)]);
    await other.query('commit');
    expect(await vendorsOf([first, await bought])).toEqual(new Set([await vendorNamed('Newcomer')]));
  });

  it('creates a vendor in the account of the bill', async () => {
    const first = await vendorOf(await buy('Acme'));
    const neighbour = await foundAccount(owner);
    const cost = await inAccount(writer, neighbour.account, () =>
      addCost(writer, neighbour, { vendor_name: 'Acme' }),
    );
    const { rows } = await owner.query<{ vendor_id: bigint }>(
      'select vendor_id from ledger.cost_entries where id = $1',
      [cost],
    );
    expect(rows[0]?.vendor_id).not.toBe(first);
  });
});

describe('an insert that gives the vendor beside its name', () => {
  it('keeps a vendor that the name says', async () => {
    await buy('Acme');
    const vendor_id = await vendorNamed('Acme');
    expect(await vendorOf(await buy(' ACME ', { vendor_id }))).toBe(vendor_id);
  });

  it('gets the vendor of its name, and never another given vendor', async () => {
    await buy('Acme');
    await buy('Bolt');
    const [acme, bolt] = [await vendorNamed('Acme'), await vendorNamed('Bolt')];
    expect(await vendorOf(await buy('Bolt', { vendor_id: acme }))).toBe(bolt);
    const cost = await buy('Newcomer', { vendor_id: acme });
    expect(await vendorOf(cost)).toBe(await vendorNamed('Newcomer'));
    expect(await vendorOf(await buy(' ', { vendor_id: acme }))).toBeNull();
    expect(await vendorOf(await buy(null, { vendor_id: acme }))).toBeNull();
  });

  it('gets the survivor of a merged vendor', async () => {
    await buy('Acme Inc');
    await buy('Acme');
    const [from, into] = [await vendorNamed('Acme Inc'), await vendorNamed('Acme')];
    await merge(from, into);
    expect(await vendorOf(await buy('Acme Inc', { vendor_id: from }))).toBe(into);
    expect(await vendorOf(await buy('Acme Inc', { vendor_id: into }))).toBe(into);
  });

  it('holds its vendor until the commit: a merge at the same time waits, and takes the entry along', async () => {
    await buy('Acme Inc');
    await buy('Acme');
    const [from, into] = [await vendorNamed('Acme Inc'), await vendorNamed('Acme')];
    await writer.query(`begin; set local app.account_id = '${home.account}'`);
    // Without the check of its key, which would hold the vendor, too.
    await writer.query('set constraints all deferred');
    const cost = await addCost(writer, home, { vendor_name: 'Acme Inc', vendor_id: from });
    const merger = await processOf(other);
    const merged = inAccount(other, home.account, () => other.query(MERGE, [from, into]));
    expect(await blockersOf(owner, merger)).toEqual([await processOf(writer)]);
    await writer.query('commit');
    await merged;
    expect(await vendorOf(cost)).toBe(into);
  });

  it('waits for a merge under way, and then gets the survivor', async () => {
    await buy('Acme Inc');
    await buy('Acme');
    const [from, into] = [await vendorNamed('Acme Inc'), await vendorNamed('Acme')];
    await other.query(`begin; set local app.account_id = '${home.account}'`);
    await other.query(MERGE, [from, into]);
    const buyer = await processOf(writer);
    const late = buy('Acme Inc', { vendor_id: from });
    expect(await blockersOf(owner, buyer)).toEqual([await processOf(other)]);
    await other.query('commit');
    expect(await vendorOf(await late)).toBe(into);
  });
});

describe('a merge', () => {
  it('repoints existing entries, keeps their names, and catches later ones', async () => {
    const old = await buy('Acme Inc');
    await buy('Acme');
    const survivor = await vendorNamed('Acme');
    await merge(await vendorNamed('Acme Inc'), survivor);
    expect(await vendorOf(old)).toBe(survivor);
    expect(await vendorOf(await buy(' ACME INC '))).toBe(survivor);
    const { rows } = await owner.query('select vendor_name from ledger.cost_entries where id = $1', [old]);
    expect(rows).toEqual([{ vendor_name: 'Acme Inc' }]);
  });

  it('flattens chains, whichever link comes first', async () => {
    const costs = [await buy('A'), await buy('B'), await buy('C'), await buy('D')];
    const [a, b, c, d] = [
      await vendorNamed('A'),
      await vendorNamed('B'),
      await vendorNamed('C'),
      await vendorNamed('D'),
    ];
    await merge(a, b);
    await merge(b, c); // a follows
    await merge(d, a); // a is c by now
    const { rows } = await owner.query(
      'select id, merged_into_id from ledger.vendors where account_id = $1 order by id',
      [home.account],
    );
    expect(rows).toEqual([
      { id: a, merged_into_id: c },
      { id: b, merged_into_id: c },
      { id: c, merged_into_id: null },
      { id: d, merged_into_id: c },
    ]);
    expect(await vendorsOf(costs)).toEqual(new Set([c]));
  });

  it('into itself, directly or around a circle, is refused', async () => {
    await buy('A');
    await buy('B');
    const [a, b] = [await vendorNamed('A'), await vendorNamed('B')];
    await expect(merge(a, a)).rejects.toMatchObject({ code: '23514' });
    await merge(a, b);
    await expect(merge(b, a)).rejects.toMatchObject({ code: '23514' });
  });

  it('repoints a locked cost, which nothing else may', async () => {
    const cost = await buy('Acme Inc');
    await buy('Acme', { period_start: '2026-04-01', period_end: null });
    const survivor = await vendorNamed('Acme');
    await write(() => lockMonth(writer, home.account, '2026-03-01'));
    const repoint = 'update ledger.cost_entries set vendor_id = $2';
    await expect(
      write(() => writer.query(`${repoint} where id = $1`, [cost, survivor])),
    ).rejects.toMatchObject({ code: '23001' });
    const merged = await vendorNamed('Acme Inc');
    await merge(merged, survivor);
    expect(await vendorOf(cost)).toBe(survivor);
    await expect(write(() => writer.query(`${repoint} where id = $1`, [cost, merged]))).rejects.toMatchObject(
      { code: '23001' },
    );
    await expect(
      write(() => writer.query(`${repoint}, amount_cents = 1 where id = $1`, [cost, merged])),
    ).rejects.toMatchObject({ code: '23001' });
    await expect(
      write(() => writer.query(`update ledger.cost_entries set vendor_name = 'Bolt' where id = $1`, [cost])),
    ).rejects.toMatchObject({ code: '23001' });
  });

  it('waits for an entry being written under the merged name, and takes it along', async () => {
    await buy('Acme Inc');
    await buy('Acme');
    const [from, into] = [await vendorNamed('Acme Inc'), await vendorNamed('Acme')];
    // The statement stops between its two rows, when the first has found its vendor and no key was checked yet.
    await owner.query('select pg_advisory_lock(1)');
    const buyer = await processOf(writer);
    const bought = write(() =>
      writer.query<{ id: bigint }>(
        `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type, vendor_name)
         select $1, $2, 1, 'USD', 'manual', 'Acme Inc' from generate_series(1, 2) as row
         where row = 1 or pg_advisory_xact_lock(1)::text is not null returning id`,
        [home.account, home.initiative],
      ),
    );
    await blockersOf(owner, buyer);
    const merger = await processOf(other);
    const merged = inAccount(other, home.account, () => other.query(MERGE, [from, into]));
    expect(await blockersOf(owner, merger)).toEqual([buyer]);
    await owner.query('select pg_advisory_unlock(1)');
    const { rows } = await bought;
    await merged;
    expect(await vendorsOf(rows.map(({ id }) => id))).toEqual(new Set([into]));
  });

  it('under way holds back a new entry, which then resolves to the survivor', async () => {
    await buy('Acme Inc');
    await buy('Acme');
    const [from, into] = [await vendorNamed('Acme Inc'), await vendorNamed('Acme')];
    await other.query(`begin; set local app.account_id = '${home.account}'`);
    await other.query(MERGE, [from, into]);
    const buyer = await processOf(writer);
    const late = buy('Acme Inc');
    expect(await blockersOf(owner, buyer)).toEqual([await processOf(other)]);
    await other.query('commit');
    expect(await vendorOf(await late)).toBe(into);
  });

  it('of two links at once leaves no chain', async () => {
    for (const name of ['A', 'B', 'C']) await buy(name);
    const [a, b, c] = [await vendorNamed('A'), await vendorNamed('B'), await vendorNamed('C')];
    await other.query(`begin; set local app.account_id = '${home.account}'`);
    await other.query(MERGE, [b, c]);
    const merger = await processOf(writer);
    const merged = merge(a, b);
    await blockersOf(owner, merger);
    await other.query('commit');
    await merged;
    const { rows } = await owner.query('select merged_into_id from ledger.vendors where id = $1', [a]);
    expect(rows).toEqual([{ merged_into_id: c }]);
  });
});
