/** The messages between a builder process and its parent. */
import type { Failure } from '../../failure.ts';
import type { QueuedRange } from '../../ops/range-queue.ts';
import type { BuildEvent } from '../../snapshot/builder/events.ts';

/** To the builder: what to build. */
export interface BuildRequest {
  /** The account's id, as text. */
  readonly account: string;
  /** The queued night, as `YYYY-MM-DD`: one night is published once. Null for an immediate build. */
  readonly night: string | null;
  /** True if a person follows the build on a terminal: an error that the terminal shows is not logged as well. */
  readonly attended?: boolean;
  /** The number of ranges of a long table; null or omitted: `BUILD_RANGES` decides. */
  readonly ranges?: number | null;
  /** True: publish although the newest snapshot read a later state of the ledger; false if omitted. */
  readonly accept_ledger?: boolean;
  /** When a rebuild was queued; null for any other build. */
  readonly requested_at: string | null;
  /** A range that another build offers, to store in place of a build. */
  readonly range?: QueuedRange | undefined;
}

/** From the builder: its progress, the failure if the build failed, and the end. */
export type BuildMessage =
  | { readonly event: BuildEvent }
  | { readonly failed: Failure }
  | { readonly ended: BuildEnd };

/** How a build ended, and the memory of the process. */
export interface BuildEnd {
  /** 0 published, superseded or skipped, 1 failed, 2 wrong usage or settings, 3 figures refused. */
  readonly exit_code: number;
  readonly rss_bytes: number;
}
