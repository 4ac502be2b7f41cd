/** The amounts that the totals of many accounts leave out, for a terminal. */
import type { CrossfootError } from '../../errors.ts';
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import {
  helpingLines,
  leftOutLine,
  leftOutSentences,
  reasonSentences,
} from '../../figures/left-out-words.ts';

/** The maximum number of accounts on a terminal; `status --json` has all. */
const MAX_ACCOUNTS = 20;

interface Reported {
  readonly account_id: bigint;
  readonly left_out: LeftOutAmounts | null;
  readonly too_large?: CrossfootError;
}

/**
 * The lines of each account, then the commands that help; empty if nothing is left out. A sum that is too large has its own
 * line, with what to correct: no rate makes it smaller.
 */
export function leftOutOfAccounts(accounts: readonly Reported[]): readonly string[] {
  return [...accounts.flatMap(tooLarge), ...withoutDollars(accounts)];
}

/** The same in a line for each account: how many amounts, and where each of them is. */
export function leftOutCounts(accounts: readonly Reported[], when = ''): readonly string[] {
  const lines = accounts.flatMap(({ account_id, left_out }) => {
    const line = left_out === null ? null : leftOutLine(left_out, when);
    return line === null ? [] : [`account ${account_id}: ${line}`];
  });
  const more = lines.length - MAX_ACCOUNTS;
  return [
    ...accounts.flatMap(tooLarge),
    ...lines.slice(0, MAX_ACCOUNTS),
    ...(more > 0 ? [moreAccounts(more)] : []),
  ];
}

function moreAccounts(more: number): string {
  return `${more} more accounts have amounts that totals leave out.`;
}

function tooLarge({ account_id, too_large }: Reported): readonly string[] {
  return too_large === undefined ? [] : [`account ${account_id}: ${too_large.message} ${too_large.hint}`];
}

function withoutDollars(accounts: readonly Reported[]): readonly string[] {
  const left = accounts
    .flatMap(({ account_id, left_out }) => (left_out === null ? [] : [{ account_id, left_out }]))
    .map(({ account_id, left_out }) => ({
      reasons: left_out.reasons,
      lines: [...leftOutSentences(left_out), ...reasonSentences(left_out.reasons)].map(
        (each) => `account ${account_id}: ${each}`,
      ),
    }))
    .filter(({ lines }) => lines.length > 0);
  if (left.length === 0) return [];
  const more = left.length - MAX_ACCOUNTS;
  return [
    ...left.slice(0, MAX_ACCOUNTS).flatMap(({ lines }) => lines),
    ...(more > 0 ? [moreAccounts(more)] : []),
    ...helpingLines(reasonsOf(left)),
  ];
}

/** The reasons of all accounts; undefined if one of them does not record any. */
function reasonsOf(left: readonly Pick<LeftOutAmounts, 'reasons'>[]): LeftOutAmounts['reasons'] {
  return left.some(({ reasons }) => reasons === undefined)
    ? undefined
    : left.flatMap((each) => each.reasons ?? []);
}
