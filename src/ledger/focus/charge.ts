/** The shapes that the parts of `load --focus` share. */

/** The initiative that a charge names, by its title. */
export interface Initiative {
  readonly title: string;
  readonly cost_type: string | null;
  readonly by: 'mapping' | 'tag';
}

/** What a mapping file says, for the reader of the charges. */
export interface LoadFocusMapping {
  /** The rules that no charge has matched so far, each as its file has it. */
  readonly unmatched: () => readonly string[];
  /** The columns that the rules read. */
  readonly columns: readonly string[];
  /** Whether a charge is AI, and the initiative that it belongs to; null if no rule or tag names one. */
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

/** The place of a charge. */
interface Origin {
  readonly file: string;
  readonly line: number;
  /** The column that names the provider. */
  readonly provider: string;
}

/** The charges of one provider, billing account, month and currency. */
export interface Bill<Amount> {
  readonly provider: string;
  readonly billingAccount: string;
  readonly billingAccountName: string | null;
  /** As `YYYY-MM`. */
  readonly month: string;
  readonly currency: string;
  /** Its first charge, for messages. */
  readonly origin: Origin;
  total: Amount;
  readonly parts: Map<string, Part<Amount>>;
}

/** The `source_ref` of the connection of a bill: the same in every load of the source. */
export function connectionRef({
  provider,
  billingAccount,
}: Pick<Bill<unknown>, 'provider' | 'billingAccount'>): string {
  return JSON.stringify([provider, billingAccount]);
}

/** The `source_ref` of a bill: the same in every load of the source. */
export function billRef(
  bill: Pick<Bill<unknown>, 'provider' | 'billingAccount' | 'month' | 'currency'>,
): string {
  return JSON.stringify([bill.provider, bill.billingAccount, bill.month, bill.currency]);
}
