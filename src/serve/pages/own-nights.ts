/** What an account is told of a night of its own. */

export interface OwnNight {
  /** The day it belongs to, `YYYY-MM-DD`. */
  readonly night: string;
  readonly state: 'queued' | 'building' | 'published' | 'off' | 'refused' | 'failed' | 'dead';
  readonly tries: number;
  /** Null for one that did not fail. */
  readonly trouble: Trouble | null;
}

interface Trouble {
  /** Of the error catalogue, or `unforeseen`. */
  readonly code: string;
  /** What an account may hear: the words of the audit about its own figures, else what the code means. */
  readonly told: string;
  /** By how many cents the figure is off that was refused first; null where it is about something else. */
  readonly cents_off: number | null;
  /** The first of the nights in a row that ended with the same code. */
  readonly since: string;
  /** For whoever runs the server. */
  readonly next: { readonly command: string; readonly why: string };
}
