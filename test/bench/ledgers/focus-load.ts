/** `load --focus` as its own process: a large bill as CSV and as Parquet, each loaded once more. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { readSettings } from '../../../src/config.ts';
import { asOwner } from '../../../src/run/as-owner.ts';
import { openDatabases } from '../../../src/run/databases.ts';
import { type Benchmark, type Figure, figure } from '../benchmark.ts';
import { runLoad } from '../ledger-load.ts';
import { addLoadableAccount } from './loadable-account.ts';

const CHARGES = 1_000_000;
const MAX_MB = 450;
const BILLING_ACCOUNTS = 20;
const TAGS = 400;
/** Each month with the one after it. */
const MONTHS = [
  ['2026-08', '2026-09'],
  ['2026-09', '2026-10'],
  ['2026-10', '2026-11'],
] as const;

/** The columns of FOCUS 1.2 that a gateway writes; every third charge has no tag, and every hundredth is a credit. */
const COLUMNS: Readonly<Record<string, (charge: number) => string>> = {
  BilledCost: (charge) => (charge % 100 === 0 ? '-0.012345' : '0.012345'),
  BillingAccountId: (charge) => `team-${charge % BILLING_ACCOUNTS}`,
  BillingAccountName: (charge) => `Team ${charge % BILLING_ACCOUNTS}`,
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: (charge) => `${monthOf(charge, 1)}-01T00:00:00Z`,
  BillingPeriodStart: (charge) => `${monthOf(charge)}-01T00:00:00Z`,
  ChargeCategory: (charge) => (charge % 100 === 0 ? 'Credit' : 'Usage'),
  ChargeClass: () => '',
  ChargeDescription: (charge) => `Request ${charge} to a model`,
  ChargePeriodEnd: (charge) => `${monthOf(charge)}-02T00:00:00Z`,
  ChargePeriodStart: (charge) => `${monthOf(charge)}-01T00:00:00Z`,
  ContractedCost: () => '0.012345',
  EffectiveCost: () => '0.012345',
  InvoiceIssuerName: () => 'Gateway',
  ListCost: () => '0.012345',
  PricingQuantity: () => '1',
  PricingUnit: () => 'Requests',
  ProviderName: () => 'Gateway',
  PublisherName: () => 'Gateway',
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: () => 'Models',
  Tags: (charge) => (charge % 3 === 0 ? '{}' : `{""initiative"":""Initiative ${1 + (charge % TAGS)}""}`),
};

function monthOf(charge: number, later: 0 | 1 = 0): string {
  return MONTHS[charge % MONTHS.length]?.[later] ?? '';
}

export const focusLoad: Benchmark = {
  name: 'focus-load',
  title: 'a large bill in the format of FOCUS, loaded and loaded again',
  run: async ({ rows, folder, say }) => {
    const charges = rows ?? CHARGES;
    const csv = join(folder, 'bill.csv');
    const parquet = join(folder, 'bill.parquet');
    await pipeline(Readable.from(lines(charges)), createWriteStream(csv));
    await copyToParquet(csv, parquet);
    const { signal } = new AbortController();
    const databases = await openDatabases(
      readSettings({ ...process.env, DATA_DIR: folder }),
      signal,
      undefined,
      {
        creates: true,
      },
    );
    try {
      const figures: Figure[] = [];
      for (const [form, file] of [
        ['CSV', csv],
        ['Parquet', parquet],
      ] as const) {
        const account = await asOwner(databases, 'crossfoot bench', addLoadableAccount);
        const asked = ['--focus', file, '--account', String(account.id)];
        const bills = BILLING_ACCOUNTS * MONTHS.length;
        const first = await runLoad(databases, folder, asked, `provider_bills: ${bills} inserted`);
        const again = await runLoad(
          databases,
          folder,
          asked,
          `provider_bills: 0 inserted, 0 updated, ${bills} unchanged`,
        );
        say(`  ${form}: ${JSON.stringify({ first, again })}`);
        figures.push(
          figure(`load --focus: ${charges} charges as ${form}`, first.wall_s, 's'),
          figure(`load --focus: ${charges} charges as ${form}, again`, again.wall_s, 's'),
          figure(
            `load --focus: memory, ${charges} charges as ${form}`,
            Math.max(first.peak_mb, again.peak_mb),
            'MB',
            { target: { at_most: MAX_MB } },
          ),
        );
      }
      return figures;
    } finally {
      await databases[Symbol.asyncDispose]();
    }
  },
};

function* lines(charges: number): Generator<string> {
  yield `${Object.keys(COLUMNS).join(',')}\n`;
  for (let charge = 0; charge < charges; charge += 1) {
    yield `${Object.values(COLUMNS)
      .map((cell) => `"${cell(charge)}"`)
      .join(',')}\n`;
  }
}

async function copyToParquet(csv: string, parquet: string): Promise<void> {
  const database = await DuckDBInstance.create();
  const session = await database.connect();
  await session.run(
    `copy (select * replace (BilledCost::decimal(18, 6) as BilledCost) from read_csv('${csv}', all_varchar = true)) to '${parquet}' (format parquet)`,
  );
  session.closeSync();
  database.closeSync();
}
