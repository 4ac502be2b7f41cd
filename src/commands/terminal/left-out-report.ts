/** The amounts that the totals of many accounts leave out, for a terminal. */
import type { CrossfootError } from '../../errors.ts';
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import { leftOutSentences, RATE_LINE } from '../../figures/left-out-words.ts';

/** The maximum number of accounts on a terminal; `status --json` has all. */
const MAX_ACCOUNTS = 20;

interface Reported {
  readonly account_id: bigint;
  readonly left_out: LeftOutAmounts | null;
  readonly too_large?: CrossfootError;
}

/**
 * A line for each account and kind of amount, then the commands to run; empty if nothing is left out. A sum that is too
 * large has its own line, with what to correct: no rate makes it smaller. `importHelps` is false if no published
 * rate would convert these amounts; the default is true.
 */
export function leftOutOfAccounts(
  accounts: readonly Reported[],
  { importHelps }: { readonly importHelps: boolean } = { importHelps: true },
): readonly string[] {
  return [...accounts.flatMap(tooLarge), ...withoutDollars(accounts, importHelps)];
}

function tooLarge({ account_id, too_large }: Reported): readonly string[] {
  return too_large === undefined ? [] : [`account ${account_id}: ${too_large.message} ${too_large.hint}`];
}

function withoutDollars(accounts: readonly Reported[], importHelps: boolean): readonly string[] {
  const lines = accounts
    .map(({ account_id, left_out }) =>
      (left_out === null ? [] : leftOutSentences(left_out)).map((each) => `account ${account_id}: ${each}`),
    )
    .filter((each) => each.length > 0);
  if (lines.length === 0) return [];
  const more = lines.length - MAX_ACCOUNTS;
  return [
    ...lines.slice(0, MAX_ACCOUNTS).flat(),
    ...(more > 0 ? [`${more} more accounts have amounts without a dollar figure.`] : []),
    ...(importHelps ? [RATE_LINE] : []),
  ];
}
