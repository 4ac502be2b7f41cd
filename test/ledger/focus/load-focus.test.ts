import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { type FocusRequest, type LoadedFocus, loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { tieLines } from '../../../src/ledger/focus/tie.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { faultsOf, foundCompany } from '../load/folder.ts';
import { type Charge, charges, csv, writeParquet } from './bills.ts';

let database: TestDatabase;
let pool: Pool;
let folder: string;
let account = 40;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('cf_owner', 1);
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-focus-'));
  account += 1;
  await foundCompany(pool, account);
  return () => rm(folder, { recursive: true });
});

async function loadBills(request: Partial<FocusRequest> = {}): Promise<LoadedFocus> {
  return await loadFocus({
    url: database.url('cf_owner'),
    paths: [folder],
    account: BigInt(account),
    isOwnSnapshot: async () => await Promise.resolve(false),
    ...request,
  });
}

const write = async (name: string, content: string | Uint8Array): Promise<void> =>
  await writeFile(join(folder, name), content);
const writeBill = async (...rows: readonly Charge[]): Promise<void> =>
  await write('bill.csv', csv(charges(...rows)));

const isOwnSnapshot = async (id: string): Promise<boolean> =>
  await Promise.resolve(id === '20261101T000000Z');

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  return (await pool.query<Record<string, unknown>>(text.replaceAll('$account', String(account)))).rows;
}

const ENTRIES = `select i.title, to_char(c.booked_month, 'YYYY-MM') as month, c.amount_cents::int as cents,
    c.ai_amount_cents::int as ai, c.currency::text as currency
  from ledger.cost_entries c join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id
  where c.account_id = $account order by 2, 1, 3`;
const BILLS = `select n.external_account_id as account, to_char(b.month, 'YYYY-MM') as month, b.amount_cents::int as cents,
    b.ai_amount_cents::int as ai, b.currency::text as currency
  from ledger.provider_bills b join ledger.connections n on n.account_id = b.account_id and n.id = b.connection_id
  where b.account_id = $account order by 1, 2, 5`;
const tagged = (initiative: string, BilledCost: string, more: Charge = {}): Charge => ({
  BilledCost,
  Tags: JSON.stringify({ initiative }),
  ...more,
});
const lockMonth = async (month: string, id: number): Promise<void> => {
  await query(`insert into ledger.accounting_months (account_id, id, month, status, locked_at)
    values ($account, ${id}, '${month}-01', 'locked', now())`);
};

describe('load --focus', () => {
  it('loads the files of a gateway, a cloud and a SaaS vendor, tied to the cent of their own totals', async () => {
    // The gateway: Parquet with decimals of 18 digits, a period a day, the team as a tag.
    const gateway = charges(
      { BilledCost: '10.004001', Tags: '{"team_alias":"support","model":"m1"}', InvoiceId: null },
      {
        BilledCost: '0.000499',
        Tags: '{"team_alias":"other"}',
        InvoiceId: null,
        BillingPeriodStart: '2026-10-02T00:00:00Z',
      },
    );
    await writeParquet(join(folder, 'usage.parquet'), gateway, { BilledCost: 'decimal(18, 6)' });
    // The cloud: decimals of 30 digits, times as such, tags as a map, the provider of 1.3, and a part that is no AI.
    const cloud = {
      BillingAccountId: 'cloud-1',
      ServiceProviderName: 'Nimbus',
      ProviderName: null,
      HostProviderName: 'Nimbus',
    };
    await writeParquet(
      join(folder, 'cloud.parquet'),
      charges(
        { ...tagged('Invoices', '1234567.123456789012345'), ...cloud, ServiceCategory: 'Compute' },
        { ...tagged('Invoices', '-0.123456789012345'), ...cloud, ChargeCategory: 'Credit' },
      ),
      { BilledCost: 'decimal(30, 15)', BillingPeriodStart: 'timestamptz', Tags: 'MAP(varchar, varchar)' },
    );
    // The SaaS vendor: CSV.gz in euros, an amount with an exponent, a refund.
    const saas = {
      BillingAccountId: 'saas-1',
      BillingCurrency: 'EUR',
      x_Seats: '5',
      ServiceCategory: 'Business Applications',
    };
    await write(
      'saas.csv.gz',
      gzipSync(csv(charges({ ...saas, BilledCost: '5e1' }, { ...saas, BilledCost: '-7.5' }))),
    );
    await write(
      'mapping.yml',
      'rules:\n  - when: { Tags.team_alias: [support] }\n    initiative: support\n    cost_type: tokens\n  - when: { BillingAccountId: saas-1 }\n    ai: true\n',
    );
    const focus = await loadBills({ map: join(folder, 'mapping.yml') });
    expect(tieLines(focus)).toEqual([
      'cloud.parquet: FOCUS 1.3',
      'saas.csv.gz: FOCUS 1.0',
      'usage.parquet: FOCUS 1.2',
      'cloud.parquet: its AI charges name no models and no tokens; load usage.csv to add tokens to its bills',
      'saas.csv.gz: its AI charges name no models and no tokens; load usage.csv to add tokens to its bills',
      'usage.parquet: its AI charges name no models and no tokens; load usage.csv to add tokens to its bills',
      "2026-10 EUR: 2 charges, 42.50 billed: 0.00 claimed and 42.50 unclaimed; the files' own total is 42.50, rounded 42.50",
      '  Acme AI Main: 2 charges, 42.50 billed: 0.00 claimed and 42.50 unclaimed',
      "2026-10 USD: 4 charges, 1234577.00 billed: 1234577.00 claimed and 0.00 unclaimed; the files' own total is 1234577.0045, rounded 1234577.00",
      '  Acme AI Main: 2 charges, 10.00 billed: 10.00 claimed and 0.00 unclaimed',
      '  Nimbus Main: 2 charges, 1234567.00 billed: 1234567.00 claimed and 0.00 unclaimed',
    ]);
    expect(await query(BILLS)).toEqual([
      { account: 'acc-1', month: '2026-10', cents: 1000, ai: 1000, currency: 'USD' },
      { account: 'cloud-1', month: '2026-10', cents: 123456700, ai: -12, currency: 'USD' },
      { account: 'saas-1', month: '2026-10', cents: 4250, ai: 4250, currency: 'EUR' },
    ]);
    expect(await query(ENTRIES)).toEqual([
      { title: 'Invoices', month: '2026-10', cents: 123456700, ai: -12, currency: 'USD' },
      { title: 'Support', month: '2026-10', cents: 1000, ai: 1000, currency: 'USD' },
    ]);
  });

  it('adds nothing when it is loaded again, and replaces the set of an open month', async () => {
    await writeBill(tagged('Invoices', '7.005'), tagged('Support', '2.00'), {
      BilledCost: '1.00',
      Tags: '{}',
    });
    await loadBills();
    const written = `select 'entry ' || load_ref as row, xmin::text from ledger.cost_entries where account_id = $account
      union all select 'bill ' || load_ref, xmin::text from ledger.provider_bills where account_id = $account
      union all select 'share ' || load_ref, xmin::text from ledger.bill_shares where account_id = $account
      union all select 'link', xmin::text from ledger.ai_spend_links where account_id = $account order by 1, 2`;
    const before = await query(written);
    expect(before).toHaveLength(7);
    for (const { inserted, updated, deleted } of (await loadBills()).loaded)
      expect({ inserted, updated, deleted }).toEqual({ inserted: 0, updated: 0, deleted: 0 });
    expect(await query(written)).toEqual(before);
    // 10.005 dollars are 10.01, and the half cent is at the only part that has one.
    expect(await query(BILLS)).toMatchObject([{ cents: 1001 }]);
    const shares = `select share::text from ledger.bill_shares where account_id = $account order by share`;
    expect(await query(shares)).toEqual([{ share: '0.19980019' }, { share: '0.70029970' }]);
    expect(await query(`select attribution from reporting.ai_spend where account_id = $account`)).toEqual([
      { attribution: 'attributed' },
    ]);
    // The later export has no charge of Support, more of Invoices, and a month of its own.
    await writeBill(tagged('Invoices', '8'), tagged('Invoices', '3', { BillingPeriodStart: '2026-11-01' }));
    const focus = await loadBills();
    expect(focus.loaded.find(({ table }) => table === 'cost_entries')).toMatchObject({
      inserted: 1,
      updated: 1,
      deleted: 1,
    });
    expect(await query(ENTRIES)).toEqual([
      { title: 'Invoices', month: '2026-10', cents: 800, ai: 800, currency: 'USD' },
      { title: 'Invoices', month: '2026-11', cents: 300, ai: 300, currency: 'USD' },
    ]);
    expect(await query(shares)).toEqual([{ share: '1.00000000' }, { share: '1.00000000' }]);
  });

  it('books the difference to a locked month once in the earliest open month', async () => {
    await writeBill(tagged('Invoices', '10'), tagged('Support', '4'));
    await loadBills();
    await lockMonth('2026-10', 1);
    await lockMonth('2026-11', 2);
    await writeBill(tagged('Invoices', '12.50'));
    await loadBills();
    const corrected = [
      { title: 'Invoices', month: '2026-10', cents: 1000 },
      { title: 'Support', month: '2026-10', cents: 400 },
      { title: 'Invoices', month: '2026-12', cents: 250 },
      { title: 'Support', month: '2026-12', cents: -400 },
    ];
    expect(await query(ENTRIES)).toMatchObject(corrected);
    const again = await loadBills();
    expect(again.loaded.map(({ inserted, updated, deleted }) => inserted + updated + deleted)).not.toContain(
      1,
    );
    expect(await query(ENTRIES)).toMatchObject(corrected);
    // Once the correction is locked too, only what differs from both is booked.
    await lockMonth('2026-12', 3);
    await loadBills();
    expect(await query(ENTRIES)).toMatchObject(corrected);
    await writeBill(tagged('Invoices', '12'));
    await loadBills();
    expect(await query(ENTRIES)).toMatchObject([
      ...corrected,
      { title: 'Invoices', month: '2027-01', cents: -50 },
    ]);
    expect(await query(BILLS)).toMatchObject([{ month: '2026-10', cents: 1200 }]);
  });

  it('changes nothing in a dry run', async () => {
    await writeBill(tagged('Invoices', '10'), tagged('Nothing', '4'));
    const focus = await loadBills({ dryRun: true });
    expect(tieLines(focus).slice(1)).toEqual([
      'bill.csv: its AI charges name no models and no tokens; load usage.csv to add tokens to its bills',
      "2026-10 USD: 2 charges, 14.00 billed: 10.00 claimed and 4.00 unclaimed; the files' own total is 14.00, rounded 14.00",
      '  Acme AI Main: 2 charges, 14.00 billed: 10.00 claimed and 4.00 unclaimed',
      'Tags that name no initiative, or several: "Nothing"',
    ]);
    expect(focus.loaded).toContainEqual(expect.objectContaining({ table: 'cost_entries', inserted: 1 }));
    expect(await query(ENTRIES)).toEqual([]);
    expect(await query(BILLS)).toEqual([]);
  });

  it('refuses a file without a mandatory column, with a misspelled one, or with several currencies', async () => {
    const [{ BilledCost: _, ...without } = {}] = charges({});
    await write('a.csv', csv([without]));
    await write('b.csv', csv(charges({ Tagss: '{}' })));
    const euro = { BillingCurrency: 'EUR' };
    await write(
      'c.csv',
      csv(
        charges(
          {},
          euro,
          { BilledCost: '1,5' },
          { BillingPeriodStart: 'October' },
          { BillingAccountId: null },
        ),
      ),
    );
    const faults = (await faultsOf(loadBills())).map(({ file, line, column, expected }) => [
      file,
      line,
      column,
      expected,
    ]);
    expect(faults).toEqual([
      [
        'a.csv',
        1,
        'BilledCost',
        'this column, which is mandatory in FOCUS 1.0: export the file again with it',
      ],
      ['b.csv', 1, 'Tagss', expect.stringMatching(/^a column of FOCUS 1\.0 to 1\.4.*; did you mean Tags\?$/)],
      [
        'c.csv',
        3,
        'BillingCurrency',
        'USD, as in the other rows of billing account acc-1 in 2026-10: an invoice has one currency',
      ],
      ['c.csv', 4, 'BilledCost', 'an amount in decimals with a point, of at most 30 decimals'],
      ['c.csv', 5, 'BillingPeriodStart', 'a UTC date and time, such as 2026-10-01T00:00:00Z'],
      ['c.csv', 6, 'BillingAccountId', 'the billing account of the charge'],
    ]);
    await rm(join(folder, 'a.csv'));
    await rm(join(folder, 'b.csv'));
    await write('c.csv', csv(charges({})));
    for (const [mapping, reason] of [
      [
        'rules:\n  - when: { ServiceName: Models }\n    initiative: Nowhere\n',
        'the initiative "Nowhere", and the account has 0',
      ],
      ['rules:\n  - when: { Service: Models }\n', 'reads Service, which is not a column of FOCUS'],
      ['rule: []\n', 'has a fault at its top'],
      ['rules: [\n', 'is no YAML'],
    ] as const) {
      await write('mapping.yml', mapping);
      await expect(loadBills({ map: join(folder, 'mapping.yml') })).rejects.toThrow(reason);
    }
    expect(await query(BILLS)).toEqual([]);
  });

  it("refuses the account's own export, reports it in a dry run, and loads it into another account", async () => {
    const own = { BillingAccountId: `crossfoot-account-${account}`, x_SnapshotId: '20261101T000000Z' };
    await writeBill(own, { ...own, BillingCurrency: 'EUR', BilledCost: '2.50' });
    await expect(loadBills({ isOwnSnapshot })).rejects.toThrow(
      `an export of account ${account} itself, its snapshot 20261101T000000Z`,
    );
    expect((await loadBills({ isOwnSnapshot, dryRun: true })).ownSnapshot).toBe('20261101T000000Z');
    account += 100;
    await foundCompany(pool, account);
    await loadBills({ isOwnSnapshot });
    expect(await query(BILLS)).toMatchObject([
      { cents: 250, currency: 'EUR' },
      { cents: 100, currency: 'USD' },
    ]);
    account -= 100;
  });
});
