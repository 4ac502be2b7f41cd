/** A build of a ledger that somebody changed since this program knew it. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { beneathViews, retype } from '../../chaos/drifts.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { pausedClient } from './faulty-tools.ts';
import { AT, type BuildHarness, openBuildHarness } from './real-build.ts';

const MINUTE = 60_000_000n;

let harness: BuildHarness;
let admin: Client;
let at = AT;
beforeAll(async () => {
  harness = await openBuildHarness();
  admin = await harness.database.admin();
  await harness.build();
});
afterAll(() => harness.close());
beforeEach(() => {
  at += MINUTE;
});

it('a build gives the same files when a column was added that it does not know (F-14)', async () => {
  const before = await harness.served();
  await admin.query(`alter table ledger.cost_entries add column colour text not null default 'green'`);
  expect((await harness.build({ at })).outcome).toBe('published');
  const rows = (served: typeof before) => served?.tables.map(({ name, row_count }) => ({ name, row_count }));
  expect(rows(await harness.served())).toEqual(rows(before));
});

it.each([
  ['cost_entries', 'amount_cents'],
  ['value_entries', 'status'],
  ['initiatives', 'is_sample'],
])(
  'the error names the column of %s that was renamed, and nothing is published (F-13)',
  async (table, column) => {
    const before = (await harness.served())?.snapshot_id;
    await admin.query(`alter table ledger.${table} rename column ${column} to renamed`);
    expect(await outcomeOf(harness.build({ at }))).toMatchObject({
      message: expect.stringMatching(`column .*${column}.* does not exist`),
    });
    expect((await harness.served())?.snapshot_id).toBe(before);
    await admin.query(`alter table ledger.${table} rename column renamed to ${column}`);
  },
);

it('the error names the column of another type beneath its view, though its bytes could be read (F-13)', async () => {
  const before = (await harness.served())?.snapshot_id;
  const column = {
    relation: 'ledger.initiatives',
    column: 'time_to_value_months',
    type: 'integer',
  };
  await beneathViews(admin, retype(column, 'real'));
  expect(await outcomeOf(harness.build({ at }))).toMatchObject({
    code: 'schema_drift',
    data: {
      table: 'initiatives',
      column: 'time_to_value_months',
      expected: 'int4',
      found: 'time_to_value_months of type float4',
    },
  });
  expect((await harness.served())?.snapshot_id).toBe(before);
  await beneathViews(admin, retype({ ...column, type: 'real' }, 'integer'));
  expect((await harness.build({ at })).outcome).toBe('published');
});

it('PostgreSQL protects a build from the loss of a column that it reads (F-13)', async () => {
  const dropping = outcomeOf(admin.query('alter table ledger.cost_entries drop column amount_cents'));
  expect(await dropping).toMatchObject({ code: '2BP01' });
});

it('a build delays a migration no longer than it reads: the migration goes on before the audit (F-15)', async () => {
  const order: string[] = [];
  let migrating: Promise<unknown> = Promise.resolve();
  const connect = (): Promise<Client> =>
    pausedClient(harness.connect, 'pg_export_snapshot', async () => {
      migrating = admin
        .query('alter table ledger.cost_entries add column size text')
        .then(() => order.push('migrated'));
    });
  const onEvent = ({ kind }: { readonly kind: string }): void => void order.push(kind);
  await harness.build({ at, connect, onEvent });
  await migrating;
  expect(order.indexOf('migrated')).toBeGreaterThan(order.indexOf('table.written'));
  expect(order.indexOf('migrated')).toBeLessThan(order.indexOf('audit.passed'));
});
