/** Files of bills in the format of FOCUS, made from its public columns: as an AI gateway, a cloud and a SaaS vendor write them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDuckDb } from '../../parquet/read-back.ts';

/** One charge: the cells that differ from those of `CHARGE`. */
export type Charge = Readonly<Record<string, string | null>>;

const CHARGE: Charge = {
  BilledCost: '1.00',
  BillingAccountId: 'acc-1',
  BillingAccountName: 'Main',
  BillingCurrency: 'USD',
  BillingPeriodEnd: '2026-11-01T00:00:00Z',
  BillingPeriodStart: '2026-10-01T00:00:00Z',
  ChargeCategory: 'Usage',
  ChargeClass: null,
  ChargeDescription: 'tokens',
  ChargePeriodEnd: '2026-10-02T00:00:00Z',
  ChargePeriodStart: '2026-10-01T00:00:00Z',
  ContractedCost: '1.00',
  EffectiveCost: '1.00',
  InvoiceIssuerName: 'Acme AI',
  ListCost: '1.00',
  PricingQuantity: '1',
  PricingUnit: 'Requests',
  ProviderName: 'Acme AI',
  PublisherName: 'Acme AI',
  ServiceCategory: 'AI and Machine Learning',
  ServiceName: 'Models',
};

/** The charges with all mandatory columns, and the columns that the first charge adds. */
export function charges(...rows: readonly Charge[]): readonly Charge[] {
  return rows.map((row) => ({ ...CHARGE, ...row }));
}

/** A charge of tokens of one model; `meter` is `Input` or `Output`. */
export const tokens = (
  meter: string,
  ConsumedQuantity: string,
  BilledCost: string,
  more: Charge = {},
): Charge => ({
  SkuMeter: `${meter} Tokens`,
  SkuPriceDetails: '{"ModelId":"m1"}',
  ConsumedUnit: 'Tokens',
  ConsumedQuantity,
  BilledCost,
  ...more,
});

const quoted = (cell: string | null | undefined): string =>
  typeof cell === 'string' ? `"${cell.replaceAll('"', '""')}"` : '';

/** The charges as CSV. */
export function csv(rows: readonly Charge[]): string {
  const columns = Object.keys(rows[0] ?? CHARGE);
  return [
    columns.join(','),
    ...rows.map((row) => columns.map((name) => quoted(row[name])).join(',')),
    '',
  ].join('\n');
}

/** Writes the charges as Parquet; `types` says what a column is other than text. */
export async function writeParquet(
  path: string,
  rows: readonly Charge[],
  types: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-focus-'));
  const source = join(folder, 'rows.csv');
  await writeFile(source, csv(rows));
  const columns = Object.keys(rows[0] ?? {}).map((name) => {
    const type = types[name];
    if (type === undefined) return `"${name}"`;
    return /^MAP|\[\]$/.test(type)
      ? `cast(json("${name}") as ${type}) as "${name}"`
      : `cast("${name}" as ${type}) as "${name}"`;
  });
  const session = await connectDuckDb();
  await session.run(
    `copy (select ${columns.join(', ')} from read_csv('${source}', all_varchar = true, header = true)) to '${path}' (format parquet)`,
  );
  session.closeSync();
  await rm(folder, { recursive: true });
}
