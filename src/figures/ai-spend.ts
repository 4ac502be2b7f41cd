/** Sums of monthly AI spend: what was billed, and which part is booked as costs of initiatives ("carried"). */

/** The amounts of one month of a provider, a vendor, or the card feeds, in US cents. */
export interface AiSpendMonth {
  readonly source_kind: 'provider_bill' | 'ai_vendor' | 'card';
  readonly billed_cents: bigint;
  readonly booked_cents: bigint | null;
  readonly ai_billed_cents: bigint | null;
  readonly ai_booked_cents: bigint | null;
}

export interface AiSpendSum {
  readonly billed_cents: bigint;
  /** The AI part of what was billed. */
  readonly ai_billed_cents: bigint;
  /** The part of `ai_billed_cents` that is booked to initiatives. */
  readonly carried_cents: bigint;
  /** The rest of `ai_billed_cents`. */
  readonly not_carried_cents: bigint;
}

/** Adds up bills. Card rows are left out: a charge may be on a vendor's bill as well. */
export function sumAiBills(months: readonly AiSpendMonth[]): AiSpendSum {
  let [billed_cents, ai_billed_cents, carried_cents] = [0n, 0n, 0n];
  for (const month of months) {
    if (month.source_kind === 'card') continue;
    billed_cents += month.billed_cents;
    ai_billed_cents += month.ai_billed_cents ?? 0n;
    carried_cents += month.ai_booked_cents ?? 0n;
  }
  return { billed_cents, ai_billed_cents, carried_cents, not_carried_cents: ai_billed_cents - carried_cents };
}

/** Adds up card charges, which are reported beside the bills and never added to them. */
export function sumCards(months: readonly AiSpendMonth[]): Record<'billed_cents' | 'booked_cents', bigint> {
  let [billed_cents, booked_cents] = [0n, 0n];
  for (const month of months) {
    if (month.source_kind !== 'card') continue;
    billed_cents += month.billed_cents;
    booked_cents += month.booked_cents ?? 0n;
  }
  return { billed_cents, booked_cents };
}
