/** The shapes that the parts of `load --focus` share. */

/** The initiative that a charge names, by its title. */
export interface Initiative {
  readonly title: string;
  readonly cost_type: string | null;
  readonly by: 'mapping' | 'tag';
}

export interface LoadFocusMapping {
  /** The columns that its rules read. */
  readonly columns: readonly string[];
  /** What a charge claims, from its cells. */
  readonly claimOf: (cell: (column: string) => string | null) => {
    readonly ai: boolean;
    readonly claim: Initiative | null;
  };
}

/** A part of a bill: the charges of one initiative and cost type, or those that no initiative claims. */
export interface Part<Amount> {
  readonly claim: Initiative | null;
  ai: Amount;
  other: Amount;
  charges: number;
}

/** The charges of one provider, billing account, month and currency. */
export interface Bill<Amount> {
  readonly provider: string;
  readonly billingAccount: string;
  readonly billingAccountName: string | null;
  /** As `YYYY-MM`. */
  readonly month: string;
  readonly currency: string;
  total: Amount;
  readonly parts: Map<string, Part<Amount>>;
}

/** The name of a bill's connection within the source. */
export function connectionRef({
  provider,
  billingAccount,
}: Pick<Bill<unknown>, 'provider' | 'billingAccount'>): string {
  return JSON.stringify([provider, billingAccount]);
}

/** The name of a bill within the source. */
export function billRef(
  bill: Pick<Bill<unknown>, 'provider' | 'billingAccount' | 'month' | 'currency'>,
): string {
  return JSON.stringify([bill.provider, bill.billingAccount, bill.month, bill.currency]);
}
