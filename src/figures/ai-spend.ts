/** Sums of monthly AI spend: what was billed, and which part is booked as costs of initiatives ("carried"). */

/** The amounts of one month of a provider, a vendor, or the card feeds, in US cents. */
export interface AiSpendMonth {
  readonly source_kind: 'provider_bill' | 'ai_vendor' | 'card';
  readonly billed_cents: bigint;
  readonly booked_cents: bigint | null;
  readonly ai_billed_cents: bigint | null;
  readonly ai_booked_cents: bigint | null;
}

/** Who billed a row: a connection to a provider by its id, or a vendor by its name. */
export interface AiBiller {
  readonly source_kind: AiSpendMonth['source_kind'];
  readonly connection_id: bigint | null;
  readonly platform: string | null;
  readonly connection_name: string | null;
  readonly vendor_name: string | null;
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

/**
 * Groups the bills by who billed them. Two connections are two billers although they have one name, and a vendor is another
 * than the connection of its name. Card rows are left out.
 */
export function groupByBiller<Row extends AiBiller>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const bills = rows.filter(({ source_kind }) => source_kind !== 'card');
  const groups = Map.groupBy(
    bills,
    ({ source_kind, connection_id, vendor_name }) => `${source_kind} ${connection_id ?? vendor_name ?? ''}`,
  );
  return [...groups.values()];
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
