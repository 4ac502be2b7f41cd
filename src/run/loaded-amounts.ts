/** What a load does with its amounts in other currencies: converts them at the rates that are known, and says what is left. */
import { shownCount } from '../format.ts';
import { convert } from '../ledger/convert/convert.ts';
import type { ConvertedAccount } from '../ledger/convert/convert-account.ts';
import { readLeftOutOfAccounts } from '../ledger/moment/left-out.ts';
import { asOwner } from './as-owner.ts';
import { areSampleRates, SAMPLE_RATES } from './demo/sample-rates.ts';
import type { Databases } from './opened-databases.ts';

type LeftOut = Awaited<ReturnType<typeof readLeftOutOfAccounts>>;

export interface LoadedAmounts {
  /** The rows that got dollars, by account and currency. */
  readonly lines: readonly string[];
  readonly left_out: LeftOut;
}

/** Converts the amounts of these accounts, which a load has committed. The rows stay loaded if that fails. */
export async function convertLoaded(
  databases: Pick<Databases, 'ownerUrl' | 'embedded'>,
  accounts: readonly bigint[],
  signal: AbortSignal,
): Promise<LoadedAmounts> {
  return await asOwner(databases, 'crossfoot load', async (owner) => {
    const lines: string[] = [];
    for (const account_id of accounts) {
      const { accounts: done, failures } = await convert(owner, { account_id, signal });
      lines.push(...done.flatMap(accountLines));
      if (failures.length > 0 || done.some(({ held }) => held > 0)) {
        lines.push(
          `account ${account_id}: not all amounts could be converted. Run npx --no crossfoot rates convert --account ${account_id}`,
        );
      }
    }
    if (lines.length > 0 && (await areSampleRates(owner, databases))) lines.push(SAMPLE_RATES);
    return { lines, left_out: await readLeftOutOfAccounts(owner, accounts) };
  });
}

function accountLines({ account_id, currencies }: ConvertedAccount): readonly string[] {
  return currencies
    .filter(({ written }) => written > 0)
    .map(({ currency, written }) => {
      const amounts = written === 1 ? 'amount' : 'amounts';
      return `account ${account_id}: ${shownCount(written)} ${amounts} in ${currency} converted`;
    });
}
