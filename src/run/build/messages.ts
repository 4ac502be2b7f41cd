/** What the process of builds and whoever asked for them say to each other. */
import type { BuildEvent } from '../../snapshot/build/events.ts';

/** To the process: what to build. */
export interface BuildRequest {
  /** The account's id, as it was asked for. */
  readonly account: string;
  /** The night it is queued for, which is published once; null for a build at once. */
  readonly night: string | null;
  /** True where a person follows the build: an error that says all there is to say is then not logged, too. */
  readonly attended?: boolean;
  /** When a rebuild was queued, in microseconds since 1970; null for any other build. */
  readonly requested_at: string | null;
}

/** From the process: its progress, how a build failed, if it did, and that it is over. */
export type BuildMessage =
  | { readonly event: BuildEvent }
  | {
      readonly failed: {
        readonly code: string;
        readonly message: string;
        readonly hint?: string | undefined;
        /** The facts behind the sentence: which check, table, place and figure, expected, found. */
        readonly data?: Readonly<Record<string, unknown>>;
      };
    }
  | { readonly ended: BuildEnd };

/** How a build ended, and what the process is left with. */
export interface BuildEnd {
  /** 0 published, superseded or skipped, 1 failed, 2 wrong usage or settings, 3 refused by the audit. */
  readonly exit_code: number;
  readonly rss_bytes: number;
}
