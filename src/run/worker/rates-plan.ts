/** Where the rates of a night come from. */
import type { Settings } from '../../config.ts';
import { PUBLISHED_RATES } from '../../figures/left-out-words.ts';
import { holdsOtherAccounts } from '../../ledger/accounts.ts';
import { type ReadLimits, READ_LIMITS } from '../../rates/read-source.ts';
import { asOwner } from '../as-owner.ts';
import type { Databases } from '../opened-databases.ts';
import { DEMO_ACCOUNTS } from '../demo/demo-facts.ts';

export interface RatesPlan {
  readonly url: string;
  /** True if no setting names the source: then a source that does not answer is no failure. */
  readonly byDefault: boolean;
  readonly limits: ReadLimits;
}

/** A start waits for this source, which no setting names: ten seconds are enough for 0.7 MB. */
const DEFAULT_MS = 10_000;

/**
 * The source of the settings; without one the European Central Bank, if the ledger is embedded and has an account other than
 * the demo's. Null: no rates are read.
 */
export async function ratesPlan(
  { ratesUrl }: Pick<Settings, 'ratesUrl'>,
  databases: Pick<Databases, 'ownerUrl' | 'embedded'>,
  published = { url: PUBLISHED_RATES, ms: DEFAULT_MS },
): Promise<RatesPlan | null> {
  if (ratesUrl === 'off') return null;
  if (ratesUrl !== null) return { url: ratesUrl, byDefault: false, limits: READ_LIMITS };
  if (!databases.embedded) return null;
  const others = await asOwner(databases, 'crossfoot rates', (owner) =>
    holdsOtherAccounts(owner, DEMO_ACCOUNTS),
  );
  if (!others) return null;
  return { url: published.url, byDefault: true, limits: { ...READ_LIMITS, ms: published.ms } };
}
