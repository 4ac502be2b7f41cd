/** The status of one snapshot, from all its marks together. */
import type { Instant } from '../../instant.ts';
import type { Mark, Marks } from './marks.ts';

/** A pin: it keeps a snapshot beyond fourteen days, until `until`. */
export interface Pin {
  readonly name: string;
  readonly at: Instant;
  readonly until: Instant;
}

/** Why a snapshot must no longer be relied upon. */
export interface Retraction {
  readonly reason: string;
  readonly at: Instant;
  /** The id of the snapshot to read instead; null if the retraction names none. */
  readonly replaced_by: string | null;
}

/** Which files of a snapshot differ from the files that were audited. */
export interface Quarantine {
  readonly at: Instant;
  readonly files: string[];
}

export interface SnapshotStatus {
  /** By name, including pins that ended. */
  readonly pins: ReadonlyMap<string, Pin & { readonly released_at: Instant | null }>;
  readonly retraction: Retraction | null;
  readonly quarantine: Quarantine | null;
  /** Retracted because its moment is in the future; a later entry may have a smaller id. */
  readonly future_head: boolean;
  /** Its files are being deleted, or are deleted. */
  readonly removed: boolean;
}

const UNMARKED: SnapshotStatus = {
  pins: new Map(),
  retraction: null,
  quarantine: null,
  future_head: false,
  removed: false,
};

/** The status of a snapshot after all its marks. */
export function snapshotStatus(marks: Marks, snapshot_id: string): SnapshotStatus {
  const own = marks.of.get(snapshot_id);
  return own === undefined ? UNMARKED : own.reduce(after, UNMARKED);
}

/** True if a snapshot of the account has files that were found damaged. */
export function hasQuarantine(marks: Marks): boolean {
  return [...marks.of.keys()].some((id) => snapshotStatus(marks, id).quarantine !== null);
}

function after(status: SnapshotStatus, mark: Mark): SnapshotStatus {
  const { at } = mark;
  switch (mark.kind) {
    case 'pinned': {
      const { name, until } = mark;
      return { ...status, pins: new Map(status.pins).set(name, { name, at, until, released_at: null }) };
    }
    case 'unpinned': {
      const pin = status.pins.get(mark.name);
      if (pin === undefined) return status;
      return { ...status, pins: new Map(status.pins).set(mark.name, { ...pin, released_at: at }) };
    }
    case 'retracted': {
      const { reason, replaced_by } = mark;
      return {
        ...status,
        // The first retraction counts; a later one changes nothing.
        retraction: status.retraction ?? { reason, at, replaced_by },
        future_head: status.future_head || mark.future_head === true,
      };
    }
    case 'quarantined':
      return { ...status, quarantine: { at, files: mark.files } };
    case 'restored':
      return { ...status, quarantine: null };
    case 'removed':
      return { ...status, removed: true };
  }
}

/** The pins that keep the snapshot at `now`, ordered by name. */
export function pinsAt({ pins }: SnapshotStatus, now: Instant): Pin[] {
  return [...pins.values()]
    .filter(({ until, released_at }) => released_at === null && until > now)
    .map(({ name, at, until }) => ({ name, at, until }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** When the last pin ends or ended; null if the snapshot never had one. A released pin ended when it was released. */
export function heldUntil({ pins }: SnapshotStatus): Instant | null {
  let held: Instant | null = null;
  for (const { until, released_at } of pins.values()) {
    const ended = released_at !== null && released_at < until ? released_at : until;
    if (held === null || ended > held) held = ended;
  }
  return held;
}
