/** A night of an account, as the account sees it. */

export interface OwnNight {
  /** The day of the night, `YYYY-MM-DD`. */
  readonly night: string;
  readonly state: 'queued' | 'building' | 'published' | 'off' | 'refused' | 'failed' | 'dead';
  readonly tries: number;
  /** Null for a night that did not fail. */
  readonly trouble: Trouble | null;
}

interface Trouble {
  /** Of the error catalogue, or `unforeseen`. */
  readonly code: string;
  /** Words for the account: the audit's words about the account's own figures, else the meaning of the code. */
  readonly explanation: string;
  /** By how many cents the first refused figure is off; null if the refusal is not about an amount. */
  readonly cents_off: number | null;
  /** The first of the consecutive nights that ended with the same code. */
  readonly since: string;
  /** For the operator of the server. */
  readonly next: { readonly command: string; readonly why: string };
}
