/**
 * The lines of the report that compares a load with its FOCUS files: billed, claimed and unclaimed, by month and currency.
 */
import { divideRounded } from '../../figures/cents.ts';
import { type Bill, billRef } from './charge.ts';
import { shownCents } from '../../format.ts';
import { UNITS_PER_CENT, shownUnits } from './decimals.ts';
import type { FocusLedger } from './ledger-state.ts';
import type { LoadedFocus } from './load-focus.ts';
import { initiativeOf } from './plan.ts';

/** The limit of tag values that are shown; a file may have thousands. */
const SHOWN_TAGS = 5;

interface Tally {
  charges: number;
  claimed: bigint;
  unclaimed: bigint;
}

/**
 * A line for each file's version and for each note on it, then for each month and currency its total and its bills,
 * then the bills that are replaced, the rules without a charge, and the tags without an initiative.
 */
export function tieLines({
  sums,
  unmatched,
  bills,
  plan,
  ledger,
}: Pick<LoadedFocus, 'sums' | 'unmatched' | 'bills' | 'plan' | 'ledger'>): readonly string[] {
  const lines = [...sums.versions].map(([file, version]) => `${file}: FOCUS ${version}`);
  lines.push(...sums.notes);
  for (const [period, total] of [...sums.totals].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const own = bills.filter(({ month, currency }) => `${month} ${currency}` === period);
    const all = tallyOf(own, ledger);
    const rounded = divideRounded(total, UNITS_PER_CENT);
    lines.push(
      `${period}: ${shown(all)}; the files' own total is ${shownUnits(total)}, rounded ${shownCents(rounded)}`,
    );
    for (const bill of own) {
      lines.push(`  ${nameOf(bill)}: ${shown(tallyOf([bill], ledger))}`);
    }
  }
  lines.push(...replacedLines(plan.bills, ledger), ...otherLines(plan.bills, ledger));
  if (unmatched.length > 0) lines.push(`Rules of the mapping that match no charge: ${unmatched.join(', ')}`);
  return [...lines, ...tagLines(bills, ledger)];
}

function nameOf({ provider, billingAccountName, billingAccount }: Bill<bigint>): string {
  return `${provider} ${billingAccountName ?? billingAccount}`;
}

/** A line for each bill that the ledger has with another amount, also where the files no longer have the bill. */
function replacedLines(bills: readonly Bill<bigint>[], ledger: FocusLedger): readonly string[] {
  return bills.flatMap((bill) => {
    const before = ledger.bills.get(billRef(bill));
    if (before === undefined || before === bill.total) return [];
    const after = `${shownCents(bill.total)} ${bill.currency}`;
    return [`${nameOf(bill)} with ${after} replaces ${shownCents(before)} ${bill.currency} of ${bill.month}`];
  });
}

/** A line for each bill that the ledger has of the same billing account and month under another provider or source. */
function otherLines(bills: readonly Bill<bigint>[], { others }: FocusLedger): readonly string[] {
  const refs = new Set(bills.map(billRef));
  return bills.flatMap((bill) =>
    others
      .filter(
        (other) =>
          other.billing_account.trim() === bill.billingAccount.trim() &&
          other.month === bill.month &&
          other.currency === bill.currency &&
          !(other.is_own && refs.has(other.ref)),
      )
      .map(
        ({ name, source, month, currency, amount_cents }) =>
          `${nameOf(bill)}: the ledger also has ${shownCents(amount_cents)} ${currency} of ${month} for billing account ${bill.billingAccount}, as ${name} of --source ${source}; if that is the same bill under another name, it counts twice`,
      ),
  );
}

function tallyOf(bills: readonly Bill<bigint>[], ledger: FocusLedger): Tally {
  const tally = { charges: 0, claimed: 0n, unclaimed: 0n };
  for (const { ai, other, charges, claim } of bills.flatMap(({ parts }) => [...parts.values()])) {
    tally.charges += charges;
    if (initiativeOf(claim, ledger) === null) tally.unclaimed += ai + other;
    else tally.claimed += ai + other;
  }
  return tally;
}

function shown({ charges, claimed, unclaimed }: Tally): string {
  const sum = shownCents(claimed + unclaimed);
  return `${charges} ${charges === 1 ? 'charge' : 'charges'}, ${sum} billed: ${shownCents(claimed)} claimed and ${shownCents(unclaimed)} unclaimed`;
}

function tagLines(bills: readonly Bill<bigint>[], ledger: FocusLedger): readonly string[] {
  const claims = bills.flatMap(({ parts }) => [...parts.values()].flatMap(({ claim }) => claim ?? []));
  const unknown = new Set(
    claims.filter((claim) => initiativeOf(claim, ledger) === null).map(({ title }) => title),
  );
  if (unknown.size === 0) return [];
  const first = [...unknown].slice(0, SHOWN_TAGS).map((title) => JSON.stringify(title));
  return [
    `Tags that name no initiative, or several: ${first.join(', ')}${unknown.size > SHOWN_TAGS ? ', …' : ''}`,
  ];
}
