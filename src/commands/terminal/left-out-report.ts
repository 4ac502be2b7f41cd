/** The amounts that the totals of many accounts leave out, for a terminal. */
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import { leftOutSentences, RATE_LINE } from '../../figures/left-out-words.ts';

/** The maximum number of accounts on a terminal; `status --json` has all. */
const MAX_ACCOUNTS = 20;

/** A line for each account and kind of amount, then the commands to run; empty if nothing is left out. */
export function leftOutOfAccounts(
  accounts: readonly { readonly account_id: bigint; readonly left_out: LeftOutAmounts | null }[],
): readonly string[] {
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
    RATE_LINE,
  ];
}
