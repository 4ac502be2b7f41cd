import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  confirmShrunkTables,
  hasShrunk,
  newestManifest,
} from '../../../src/snapshot/builder/shrunk-tables.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import type { SpooledTable } from '../../../src/snapshot/builder/write-tables.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, addCost, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { ACCOUNT, MIDNIGHT, aBuild, clockAt, publishNow } from './build-harness.ts';
import { listener } from './real-build.ts';

describe('hasShrunk', () => {
  it.each([
    [0, 0, false],
    [1, 0, true],
    [999, 1, false],
    [1000, 500, false],
    [1000, 499, true],
    [1001, 500, true],
    [1000, 0, true],
    [1000, 1000, false],
    [1, 2, false],
  ])('returns for %i rows that became %i: %s', (before, rows, shrunk) => {
    expect(hasShrunk({ before, rows })).toBe(shrunk);
  });
});

describe('confirmShrunkTables', () => {
  let database: TestDatabase;
  let reader: Client;
  let home: Founded;
  beforeAll(async () => {
    database = await createDatabase();
    const owner = await database.client('cf_owner');
    reader = await database.client('cf_reader');
    home = await foundAccount(owner, { id: ACCOUNT });
    const sample = await foundAccount(owner, { id: 8n });
    await addCost(owner, home);
    await addCost(owner, sample);
    // Not counted: a cost of a sample initiative.
    await inAccount(owner, ACCOUNT, async () => {
      const { rows } = await owner.query<{ id: bigint }>(
        `insert into ledger.initiatives (account_id, title, stage, is_sample) values ($1, 'Demo', 'live', true) returning id`,
        [ACCOUNT],
      );
      await addCost(owner, { ...home, initiative: rows[0]?.id ?? 0n });
    });
  });
  afterAll(() => database.drop());

  /** The last snapshot held 1 row of `snapshot` and 1 of `costs`. */
  async function confirm(rows: Readonly<Record<string, number>>) {
    const store = memoryStore();
    await publishNow(store, aBuild('yesterday', MIDNIGHT));
    const tables = Object.entries(rows).map(([name, count]) => ({ name, rows: count }) as SpooledTable); // all it reads
    const { events, onEvent } = listener();
    const tools = { store, clock: clockAt(MIDNIGHT) };
    const newest = await newestManifest(await readLog(store, ACCOUNT), tools);
    const shrunk = await confirmShrunkTables(newest, tables, {
      account_id: ACCOUNT,
      count: (run) => inAccount(reader, ACCOUNT, () => run(reader)),
      onEvent,
    });
    return { shrunk, events };
  }

  it('says nothing of tables that kept their rows', async () => {
    expect(await confirm({ snapshot: 1, costs: 1 })).toEqual({ shrunk: [], events: [] });
  });

  it('refuses a table that lost rows which the bare ledger still has', async () => {
    await expect(confirm({ snapshot: 1, costs: 0 })).rejects.toMatchObject({
      code: 'table_lost_rows',
      exitCode: 3,
      message:
        "costs: the file holds 0 rows, the last snapshot held 1 and the ledger's base tables hold 1; nothing was published.",
    });
  });

  it('accepts a table that is as empty as the ledger, and says so', async () => {
    const owner = await database.client('cf_owner');
    await inAccount(owner, ACCOUNT, () =>
      owner.query('delete from ledger.cost_entries where account_id = $1 and initiative_id = $2', [
        ACCOUNT,
        home.initiative,
      ]),
    );
    const gone = { table: 'costs', before: 1, rows: 0 };
    expect(await confirm({ snapshot: 1, costs: 0 })).toEqual({
      shrunk: [gone],
      events: [{ kind: 'table.shrunk', ...gone }],
    });
  });
});
