/** What a load does with its amounts in other currencies: converts them at the rates that are known, and says what is left. */
import { shownCount } from '../format.ts';
import { convert } from '../ledger/convert/convert.ts';
import type { ConvertedAccount } from '../ledger/convert/convert-account.ts';
import { type Outcome, OUTCOMES } from '../ledger/convert/tally.ts';
import { readLeftOutOfAccounts } from '../ledger/moment/left-out.ts';
import { asOwner } from './as-owner.ts';
import type { Databases } from './databases.ts';

/** What no import of rates changes. */
const NEVER: readonly Outcome[] = ['locked_without_rate', 'no_period', 'before_first_rate', 'too_large'];
/** What newer rates, or rates of another source, convert. */
const WAITING: readonly Outcome[] = ['waiting', 'no_published_rates'];

type LeftOut = Awaited<ReturnType<typeof readLeftOutOfAccounts>>;

export interface LoadedAmounts {
  /** The rows that got dollars, by account and currency; then why others get none. */
  readonly lines: readonly string[];
  readonly left_out: LeftOut;
  /** True if published rates may convert what is left out. */
  readonly importHelps: boolean;
}

/** Converts the amounts of these accounts, which a load has committed. The rows stay loaded if that fails. */
export async function convertLoaded(
  databases: Pick<Databases, 'ownerUrl'>,
  accounts: readonly bigint[],
  signal: AbortSignal,
): Promise<LoadedAmounts> {
  return await asOwner(databases, 'crossfoot load', async (owner) => {
    const lines: string[] = [];
    let importHelps = false;
    for (const account_id of accounts) {
      const { published_through, accounts: done, failures } = await convert(owner, { account_id, signal });
      importHelps ||= published_through === null || done.some((each) => holds(each, WAITING));
      lines.push(...done.flatMap(accountLines));
      if (failures.length > 0 || done.some(({ held }) => held > 0)) {
        lines.push(
          `account ${account_id}: not all amounts could be converted. Run npx --no crossfoot rates convert --account ${account_id}`,
        );
      }
    }
    return { lines, left_out: await readLeftOutOfAccounts(owner, accounts), importHelps };
  });
}

function holds({ currencies }: ConvertedAccount, outcomes: readonly Outcome[]): boolean {
  return currencies.some(({ entries }) => outcomes.some((outcome) => (entries[outcome] ?? 0) > 0));
}

function accountLines({ account_id, currencies }: ConvertedAccount): readonly string[] {
  return currencies.flatMap(({ currency, written, entries }) => [
    ...(written > 0
      ? [`account ${account_id}: ${shownCount(written)} amounts in ${currency} converted`]
      : []),
    ...NEVER.filter((outcome) => entries[outcome] !== undefined).map(
      (outcome) =>
        `account ${account_id}: ${shownCount(entries[outcome] ?? 0)} in ${currency} stay out: ${OUTCOMES[outcome]}`,
    ),
  ]);
}
