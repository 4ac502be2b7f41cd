/** What the demo brings into a ledger, and what a person's own ledger must not mistake for its own. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { KnownAccount } from '../../ledger/accounts.ts';
import type { DayRate } from '../../ledger/convert/plausible-rates.ts';

/** The accounts of the fixtures. */
export const DEMO_ACCOUNTS: readonly KnownAccount[] = [
  { id: 1n, created_at: '2024-04-08T08:00:00Z' },
  { id: 2n, created_at: '2025-01-07T08:00:00Z' },
  { id: 3n, created_at: '2025-11-03T08:00:00Z' },
];

const SAMPLE = fileURLToPath(
  new URL('../../../fixtures/reference/euro_reference_rates.csv', import.meta.url),
);

/** The rates of the fixtures. They are a sample and were never published, so published rates replace them. */
export async function readSampleRates(): Promise<readonly DayRate[]> {
  const [, ...lines] = (await readFile(SAMPLE, 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const [day = '', currency = '', units_per_euro = ''] = line.split(',');
    return { day, currency, units_per_euro };
  });
}
