/** The events that a running build reports, for progress lines and logs. */
import type { LeftOutAmounts } from '../../figures/left-out.ts';

export type BuildEvent =
  /** The rows of a large table so far, for progress only; `table.written` has their final number. */
  | { readonly kind: 'rows.written'; readonly table: string; readonly rows: number }
  | {
      readonly kind: 'table.written';
      readonly table: string;
      readonly rows: number;
      readonly bytes: number;
      readonly ms: number;
    }
  /** A worker stored the part of a range for the build that offered it. */
  | {
      readonly kind: 'part.stored';
      readonly rows: number;
      readonly size_bytes: number;
      readonly sha256: string;
    }
  | { readonly kind: 'table.shrunk'; readonly table: string; readonly before: number; readonly rows: number }
  | { readonly kind: 'audit.passed'; readonly checks: number; readonly ms: number }
  | { readonly kind: 'totals.incomplete'; readonly left_out: LeftOutAmounts }
  | { readonly kind: 'audit.refused'; readonly kept: string }
  | { readonly kind: 'moment.awaited'; readonly ms: number }
  | { readonly kind: 'spool.left'; readonly directory: string }
  | { readonly kind: 'snapshot.pinned'; readonly snapshot: string; readonly name: string }
  | { readonly kind: 'pin.delayed'; readonly snapshot: string; readonly why: string }
  | {
      readonly kind: 'snapshot.published' | 'snapshot.superseded' | 'snapshot.skipped';
      readonly snapshot: string;
      readonly seq: number;
      /** How long the build took: every surface that says so has this number. 0 if there was nothing to build. */
      readonly ms: number;
    };
