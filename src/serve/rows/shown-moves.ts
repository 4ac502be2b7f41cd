/** The data of the page of what moved, and the addresses of its parts. */
import type { Change } from '../../diff/change.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { MovedEntry, Moves } from './moves.ts';
import type { Names } from '../../snapshot/read/sheet-cells.ts';
import type { ReopenedMonth } from './months-of-close.ts';
import type { Windows } from './window-totals.ts';

/** A changed entry of the page. */
export interface ShownEntry {
  readonly entry: MovedEntry;
  readonly change: Change;
  /** The currency of both sides, where the change itself does not have it; else null. */
  readonly currency: string | null;
  /** The initiative of the row, where the change itself does not have it; else null. */
  readonly initiative_id: bigint | null;
  /** The amount as recorded, of an entry in another currency whose dollars alone changed; else null. */
  readonly recorded: string | null;
}

/** What the page shows. */
export interface ShownMoves {
  /** The relative path from the page to the top. */
  readonly root: string;
  readonly from: ReadableSnapshot;
  readonly to: ReadableSnapshot;
  /** All readable snapshots, newest first. */
  readonly listed: readonly ReadableSnapshot[];
  readonly moves: Moves;
  readonly before: Windows;
  readonly after: Windows;
  /** The key of the window that the waterfall shows, one of the two snapshots; if null, the first window that changed. */
  readonly window: string | null;
  readonly entries: readonly ShownEntry[];
  /** The months that were reopened between the two snapshots, if they are why entries changed. */
  readonly reopened: readonly ReopenedMonth[];
  /** From 1. */
  readonly page: number;
  readonly idNames: Names;
}

/** The address of a comparison. */
export function movesAddress(
  root: string,
  from: string,
  to: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams({ from, ...more });
  return `${root}snapshots/${encodeURIComponent(to)}/changes?${parameters.toString()}`;
}

/** The address of the changed rows of a comparison as CSV. */
export function csvAddress(
  root: string,
  from: string,
  to: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams({ from, ...more });
  return `${root}snapshots/${encodeURIComponent(to)}/changes.csv?${parameters.toString()}`;
}

/** The anchor of a reason's rows on the page. */
export function anchorOf({ kind, reason }: Pick<MovedEntry, 'kind' | 'reason'>): string {
  return `${kind}-${reason}`;
}
