/**
 * Bills with exactly the columns of the exports of three providers: tied to the cent, loaded again, replaced, corrected after
 * the month was closed, and A, then B, then A. Google's are Parquet with its types. The amounts are worked by hand.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { company, loadFiles } from '../load/folder.ts';
import { type Charge, charges, csv, writeParquet } from './bills.ts';
import { PROVIDER_COLUMNS } from './provider-columns.ts';

let database: TestDatabase;
let pool: Pool;
let folder: string;
let account = 260;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('cf_owner', 1);
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-providers-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const named = (provider: string): Charge => ({
  InvoiceIssuerName: provider,
  ProviderName: provider,
  PublisherName: provider,
});

interface Bill {
  readonly of: string;
  readonly columns: readonly string[];
  /** The types of the columns of a Parquet file; a CSV file without them. */
  readonly types?: Readonly<Record<string, string>>;
  /** The cells that name the initiative Invoices, and the mapping that reads them. */
  readonly invoices: Charge;
  readonly mapping?: string;
  /** The cells of a charge without use, and its class. */
  readonly credit: Charge;
  readonly classed: string;
  /** The columns that say model and tokens in that form, with a quantity and a cost of its own for each charge. */
  readonly charge: (kind: 'input' | 'output', tokens: number, BilledCost: string) => Charge;
  readonly model: string;
}

const AWS = { input: 'USE1-Claude4.6Opus-input-tokens', output: 'USE1-Claude4.6Opus-output-tokens' };
const MARKETPLACE = {
  input: 'USE1-MP:USE1_InputTokenCount-Units',
  output: 'USE1-MP:USE1_OutputTokenCount-Units',
};
const AZURE = { input: 'gpt 4o 1120 Inp glbl Tokens', output: 'gpt 4o 1120 Outp glbl Tokens' };
const GOOGLE = {
  input: 'Gemini 2.5 Flash GA Text Input - Predictions',
  output: 'Gemini 2.5 Flash GA Text Output - Predictions',
};

const TAGGED = {
  invoices: { Tags: '{"initiative":"Invoices"}' },
  credit: { ChargeCategory: 'Credit' },
  classed: 'credit',
};
const LABELS = 'STRUCT("Key" varchar, "Value" varchar)[]';
const VIEW_TAGS =
  'STRUCT("key" varchar, "value" varchar, x_type varchar, x_inherited boolean, x_namespace varchar)[]';
/** Google's labels have small letters alone, and its exports name no category of services. */
const BY_LABELS = `rules:
  - when: { ServiceName: Vertex AI }
    ai: true
  - when: { Tags.initiative: invoices }
    initiative: Invoices
`;
const BIGQUERY = {
  BilledCost: 'decimal(38, 9)',
  ConsumedQuantity: 'decimal(38, 9)',
  EffectiveCost: 'decimal(38, 9)',
  ListCost: 'decimal(38, 9)',
  BillingPeriodStart: 'timestamptz',
  BillingPeriodEnd: 'timestamptz',
  ChargePeriodStart: 'timestamptz',
  ChargePeriodEnd: 'timestamptz',
};

const BILLS: readonly Bill[] = [
  {
    of: 'Amazon Bedrock in FOCUS 1.0',
    columns: PROVIDER_COLUMNS['AWS 1.0'],
    ...TAGGED,
    charge: (kind, tokens, BilledCost) => ({
      ...named('AWS'),
      ServiceName: 'Amazon Bedrock',
      x_UsageType: AWS[kind],
      ConsumedQuantity: String(tokens / 1000),
      ConsumedUnit: '1K tokens',
      BilledCost,
    }),
    model: 'Claude4.6Opus',
  },
  {
    of: 'the marketplace of Amazon Bedrock in FOCUS 1.2',
    columns: PROVIDER_COLUMNS['AWS 1.2'],
    ...TAGGED,
    charge: (kind, tokens, BilledCost) => ({
      ...named('Amazon Web Services, Inc.'),
      ServiceName: 'Claude Sonnet 4.6 (Amazon Bedrock Edition)',
      SkuMeter: MARKETPLACE[kind],
      ConsumedQuantity: String(tokens / 1_000_000),
      ConsumedUnit: 'Units',
      BilledCost,
    }),
    model: 'Claude Sonnet 4.6',
  },
  {
    of: 'Azure OpenAI in FOCUS 1.0',
    columns: PROVIDER_COLUMNS['Azure 1.0'],
    ...TAGGED,
    charge: (kind, tokens, BilledCost) => ({
      ...named('Microsoft'),
      ServiceName: 'Azure OpenAI',
      x_SkuMeterName: AZURE[kind],
      ConsumedQuantity: String(tokens),
      ConsumedUnit: 'Units',
      BilledCost,
    }),
    model: 'gpt 4o 1120',
  },
  {
    of: 'Azure OpenAI in FOCUS 1.2',
    columns: PROVIDER_COLUMNS['Azure 1.2'],
    ...TAGGED,
    charge: (kind, tokens, BilledCost) => ({
      ...named('Microsoft'),
      ServiceName: 'Azure OpenAI',
      SkuMeter: AZURE[kind],
      ConsumedQuantity: String(tokens),
      ConsumedUnit: 'Tokens',
      BilledCost,
    }),
    model: 'gpt 4o 1120',
  },
  {
    of: "Google Vertex AI in Google's view of FOCUS 1.0",
    columns: PROVIDER_COLUMNS['Google 1.0'],
    types: { ...BIGQUERY, ServiceCategory: 'varchar[]', Tags: VIEW_TAGS },
    invoices: {
      Tags: '[{"key":"initiative","value":"invoices","x_type":"label","x_inherited":false,"x_namespace":"n/a"}]',
    },
    mapping: BY_LABELS,
    credit: { ChargeCategory: 'adjustment' },
    classed: 'correction',
    // The view writes small letters, a list of categories, and the last day of the month at midnight in Los Angeles.
    charge: (kind, tokens, BilledCost) => ({
      ...named('Google Cloud'),
      BillingPeriodStart: '2026-10-01T07:00:00Z',
      BillingPeriodEnd: '2026-10-31T07:00:00Z',
      ChargeCategory: 'usage',
      ServiceCategory: '["GCP","Vertex AI"]',
      ServiceName: 'Vertex AI',
      ChargeDescription: GOOGLE[kind],
      ConsumedQuantity: String(tokens),
      ConsumedUnit: 'count',
      BilledCost,
    }),
    model: 'Gemini 2.5 Flash',
  },
  {
    of: "Google Vertex AI in Google's export of FOCUS 1.2",
    columns: PROVIDER_COLUMNS['Google 1.2'],
    types: { ...BIGQUERY, x_Labels: LABELS, x_ProjectLabels: LABELS, x_SystemLabels: LABELS },
    invoices: {
      x_ProjectLabels: '[{"Key":"initiative","Value":"support"}]',
      x_Labels: '[{"Key":"team","Value":"a"},{"Key":"initiative","Value":"invoices"}]',
    },
    mapping: BY_LABELS,
    credit: { ChargeCategory: 'Adjustment' },
    classed: 'correction',
    charge: (kind, tokens, BilledCost) => ({
      ...named('Google Cloud'),
      ServiceName: 'Vertex AI',
      ChargeDescription: GOOGLE[kind],
      ConsumedQuantity: String(tokens),
      ConsumedUnit: 'requests',
      BilledCost,
    }),
    model: 'Gemini 2.5 Flash',
  },
];

const isOwnSnapshot = async (): Promise<boolean> => await Promise.resolve(false);

/** Loads a file with exactly the columns of the bill. */
async function loadBill(
  { columns, types, mapping }: Pick<Bill, 'columns' | 'types' | 'mapping'>,
  ...rows: readonly Charge[]
): Promise<void> {
  const exact = charges(...rows).map((row) =>
    Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
  );
  const path = join(folder, types === undefined ? 'bill.csv' : 'bill.parquet');
  if (types === undefined) await writeFile(path, csv(exact));
  else await writeParquet(path, exact, types);
  const map = join(folder, 'mapping.yml');
  if (mapping !== undefined) await writeFile(map, mapping);
  await loadFocus({
    url: database.url('cf_owner'),
    paths: [path],
    account: BigInt(account),
    isOwnSnapshot,
    ...(mapping !== undefined && { map }),
  });
}

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  return (await pool.query<Record<string, unknown>>(text.replaceAll('$account', String(account)))).rows;
}

/** Each served row of AI as tokens, kind, model, exact cost and class; and the bill beside the sum of the rows, in cents. */
async function served(): Promise<readonly unknown[]> {
  const rows =
    await query(`select concat_ws(' ', coalesce(quantity, 'no'), coalesce(unit, 'unit'), coalesce(model, 'of no model'), billed_cost, cost_class) as line
    from reporting.ai_usage where account_id = $account and is_ai order by unit nulls last`);
  const [sums] = await query(`select sum(b.amount_cents)::int as bill,
      (select sum(cost_cents)::int from reporting.ai_usage where account_id = $account) as rows
    from ledger.provider_bills b where b.account_id = $account`);
  return [...rows.map(({ line }) => line), sums];
}

describe.each(BILLS)('a bill of $of', ({ charge, model, invoices, credit, classed, ...shape }) => {
  it('keeps models and tokens, tied to the cent, when any load replaces it', async () => {
    account += 1;
    await loadFiles(database.url('cf_owner'), company(account));
    const a = [
      { ...charge('input', 2_000_000, '6.004'), ...invoices },
      { ...charge('output', 500_000, '7.504'), ...invoices },
      {
        ...charge('input', 0, '-0.004'),
        ConsumedQuantity: null,
        ConsumedUnit: null,
        ...credit,
      },
    ];
    const b = [{ ...charge('input', 3_000_000, '9.006'), ...invoices }];
    // 6.004 + 7.504 - 0.004 = 13.504: 1350 cents; of 600.4, 750.4 and -0.4 cents the last has the largest remainder.
    // The credit names no kind of tokens; its model stands in its meter.
    const first = [
      `2000000 input_tokens ${model} 6.004 usage`,
      `500000 output_tokens ${model} 7.504 usage`,
      `no unit ${model} -0.004 ${classed}`,
      { bill: 1350, rows: 1350 },
    ];
    const second = [`3000000 input_tokens ${model} 9.006 usage`, { bill: 901, rows: 901 }];
    await loadBill(shape, ...a);
    expect(await served()).toEqual(first);
    const written = 'select id, xmin::text from ledger.usage where account_id = $account order by id';
    const rows = await query(written);
    await loadBill(shape, ...a);
    expect(await query(written)).toEqual(rows);
    await loadBill(shape, ...b);
    expect(await served()).toEqual(second);
    await loadBill(shape, ...a);
    expect(await served()).toEqual(first);
    await query(`insert into ledger.accounting_months (account_id, id, month, status, locked_at)
      values ($account, 1, '2026-10-01', 'locked', now())`);
    await loadBill(shape, ...b);
    expect(await served()).toEqual(second);
    // Of the 1350 cents, 1351 are of the initiative: 600.4 and 750.4 rounded together. 901 - 1351 is booked after the close.
    const entries = `select to_char(booked_month, 'YYYY-MM') as month, sum(amount_cents)::int as cents
      from ledger.cost_entries where account_id = $account group by 1 order by 1`;
    expect(await query(entries)).toEqual([
      { month: '2026-10', cents: 1351 },
      { month: '2026-11', cents: -450 },
    ]);
  });
});
