/** Whether dollars come from the demo's sample of rates, which was never published. */
import type { Client } from 'pg';
import { PUBLISHED_RATES } from '../../figures/left-out-words.ts';
import { readNewestDollars } from '../../ledger/convert/published-rates.ts';
import type { Databases } from '../opened-databases.ts';
import { readSampleRates } from './demo-facts.ts';

/** What to say, and to run, while the stored rates are the sample. */
export const SAMPLE_RATES = `The stored rates are the demo's sample, which was never published. Run npx --no crossfoot rates import ${PUBLISHED_RATES}, then npx --no crossfoot rates convert`;

/**
 * True while the newest stored rate is one of the demo's sample: an import of published rates brings a newer one. A PostgreSQL
 * of its own never had the sample.
 */
export async function areSampleRates(
  client: Client,
  { embedded }: Pick<Databases, 'embedded'>,
): Promise<boolean> {
  if (!embedded) return false;
  const newest = await readNewestDollars(client);
  const sample = await readSampleRates();
  return sample.some(
    ({ day, currency, units_per_euro }) =>
      currency === 'USD' && day === newest?.day && Number(units_per_euro) === Number(newest.units_per_euro),
  );
}
