/** The nights and builds that the page of nights shows to an account. */
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import type { Instant } from '../../instant.ts';
import type { NextCommand, PendingBuild } from '../../next-step.ts';

export interface OwnNight {
  /** The day of the night, `YYYY-MM-DD`. */
  readonly night: string;
  readonly state: 'queued' | 'building' | 'published' | 'off' | 'refused' | 'failed' | 'dead';
  readonly tries: number;
  /** Null for a night that did not fail. */
  readonly trouble: Trouble | null;
}

/** A build of the account on the machine of the server, started by the night or by a person. */
export interface OwnBuild {
  readonly began_at: Instant;
  /** Null while it runs, and for a build that was killed. */
  readonly ended_at: Instant | null;
  readonly started_by: 'night' | 'queue' | 'hand' | null;
  readonly outcome: 'running' | 'published' | 'superseded' | 'skipped' | 'failed';
  readonly snapshot_id: string | null;
  /** The error code; null for a build that did not fail. */
  readonly code: string | null;
  /** Why it failed, in words for the account, and what to run next; null for a build that did not fail. */
  readonly trouble: Pick<Trouble, 'code' | 'explanation' | 'next'> | null;
  /** When its tables were written and when its audit passed; null if the build did not reach that step. */
  readonly tables_at: Instant | null;
  readonly audited_at: Instant | null;
  /** The written tables and how long each took; none for a build of an older program. */
  readonly tables: readonly {
    readonly name: string;
    readonly rows: number;
    readonly bytes: number;
    readonly ms: number;
  }[];
}

/** What the pages of nights need. */
export interface NightParts {
  readonly snapshots: SnapshotReader;
  /** The account's last nights, newest first. */
  readonly ownNights: (account_id: bigint) => Promise<readonly OwnNight[]>;
  /** Its last builds on this machine, and when the next night is due. */
  readonly nightContext: (account_id: bigint) => Promise<NightContext>;
  readonly now: () => Instant;
}

/** What the page of nights shows beside the nights. */
export interface NightContext {
  /** Newest first. */
  readonly builds: readonly OwnBuild[];
  /** When the next night falls due; null if the schedule has no further one. */
  readonly next_at: Instant | null;
  /** The build that waits or runs; null without one. */
  readonly pending: PendingBuild | null;
  /** The newest delivery to each target of the account. */
  readonly deliveries: readonly OwnDelivery[];
}

/** The newest delivery to a target. */
export interface OwnDelivery {
  readonly target_id: bigint;
  readonly snapshot_id: string;
  readonly state: string;
  readonly tries: number;
  /** Why the last attempt failed, or what went wrong after it; null if nothing did. */
  readonly fault: string | null;
}

interface Trouble {
  /** A code of the error catalogue, or `unforeseen`. */
  readonly code: string;
  /** Words for the account: the audit's words about the account's own figures, else the meaning of the code. */
  readonly explanation: string;
  /** By how many cents the first refused figure is off; null if the refusal is not about an amount. */
  readonly cents_off: number | null;
  /** The first of the consecutive nights that ended with the same code. */
  readonly since: string;
  /** The command that the operator of the server runs next, and why. */
  readonly next: NextCommand;
}
