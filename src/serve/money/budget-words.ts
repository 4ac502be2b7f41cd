/** How far a budget is over or under, in the same words on the page of budgets and on the page of an initiative. */
import { shownAmount } from '../frame/shown-values.ts';
import { overspent } from '../../figures/budget.ts';
import type { LeftOutReason } from '../../figures/left-out-reasons.ts';
import { dollarStanding } from '../../figures/left-out-words.ts';
import type { LeftOut } from '../../figures/unsettled.ts';

/** What was budgeted and spent by a day, in cents of `currency`. */
interface Parts {
  readonly currency: string;
  readonly capex_budget_cents: bigint;
  readonly capex_actual_cents: bigint;
  readonly opex_budget_to_date_cents: bigint;
  readonly opex_actual_cents: bigint;
}

/** What is left of a budget, or how far it is over: `$46.99 under`. */
export function restWords(rest: bigint, currency: string): string {
  if (rest === 0n) return 'on budget';
  return `${shownAmount(rest < 0n ? -rest : rest, currency)} ${rest > 0n ? 'under' : 'over'}`;
}

/** The cents by which each part is over; 0 for a part within its budget. */
export function overOf(row: Omit<Parts, 'currency'>): ReturnType<typeof overspent> {
  return overspent(
    { capex_cents: row.capex_budget_cents, opex_cents: row.opex_budget_to_date_cents },
    { capex_cents: row.capex_actual_cents, opex_cents: row.opex_actual_cents },
  );
}

/** By how much each part is over: `one-time cost by $200.00`. Empty if none is. */
export function overWords(row: Parts): string {
  const { currency } = row;
  const { capex_cents, opex_cents } = overOf(row);
  return [
    ...(capex_cents > 0n ? [`one-time cost by ${shownAmount(capex_cents, currency)}`] : []),
    ...(opex_cents > 0n ? [`running cost by ${shownAmount(opex_cents, currency)}`] : []),
  ].join(', ');
}

/** The costs without dollars that no amount spent of a budget has: `EUR 600.00 (no rate yet)`. Costs in its own currency count. */
export function notSpentWords(
  costs: readonly LeftOut[],
  budget_currency: string,
  reasons: readonly LeftOutReason[] | undefined,
): string {
  return costs
    .filter(({ currency }) => currency !== budget_currency)
    .map(({ currency, amount_cents }) => {
      const standing = dollarStanding(reasons, { table: 'cost_entries', currency });
      return `${shownAmount(amount_cents, currency)} (${standing})`;
    })
    .join(', ');
}
