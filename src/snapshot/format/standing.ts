/** What the marks say of one snapshot, all of them together: how it stands. */
import type { Instant } from '../../time.ts';
import type { Mark, Marks } from './marks.ts';

/** What keeps a snapshot beyond its expiry. */
export interface Pin {
  readonly name: string;
  readonly at: Instant;
  readonly until: Instant;
}

/** Why it must no longer be relied upon. */
export interface Retraction {
  readonly reason: string;
  readonly at: Instant;
  /** The id of the snapshot to read instead, if one was named. */
  readonly replaced_by: string | null;
}

/** Which of its files are not what was audited. */
export interface Quarantine {
  readonly at: Instant;
  readonly files: string[];
}

export interface Standing {
  /** By name; one that ended is among them. */
  readonly pins: ReadonlyMap<string, Pin & { readonly released_at: Instant | null }>;
  readonly retraction: Retraction | null;
  readonly quarantine: Quarantine | null;
  /** Retracted because its moment is in the future: a later entry may have a smaller id. */
  readonly future_head: boolean;
  /** Its files are going or gone. */
  readonly removed: boolean;
}

const UNMARKED: Standing = {
  pins: new Map(),
  retraction: null,
  quarantine: null,
  future_head: false,
  removed: false,
};

/** How a snapshot stands after all that was said of it. */
export function standingOf(marks: Marks, snapshot_id: string): Standing {
  const said = marks.of.get(snapshot_id);
  return said === undefined ? UNMARKED : said.reduce(after, UNMARKED);
}

function after(standing: Standing, mark: Mark): Standing {
  const { at } = mark;
  switch (mark.kind) {
    case 'pinned': {
      const { name, until } = mark;
      return { ...standing, pins: new Map(standing.pins).set(name, { name, at, until, released_at: null }) };
    }
    case 'unpinned': {
      const pin = standing.pins.get(mark.name);
      if (pin === undefined) return standing;
      return { ...standing, pins: new Map(standing.pins).set(mark.name, { ...pin, released_at: at }) };
    }
    case 'retracted': {
      const { reason, replaced_by } = mark;
      return {
        ...standing,
        // A retraction stands as it was first said.
        retraction: standing.retraction ?? { reason, at, replaced_by },
        future_head: standing.future_head || mark.future_head === true,
      };
    }
    case 'quarantined':
      return { ...standing, quarantine: { at, files: mark.files } };
    case 'restored':
      return { ...standing, quarantine: null };
    case 'removed':
      return { ...standing, removed: true };
  }
}

/** The pins that keep it now, by name. */
export function pinsAt({ pins }: Standing, now: bigint): Pin[] {
  return [...pins.values()]
    .filter(({ until, released_at }) => released_at === null && until > now)
    .map(({ name, at, until }) => ({ name, at, until }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Until when pins keep it, or kept it; null when it never had one. One that is released ends there and then. */
export function heldUntil({ pins }: Standing): Instant | null {
  let held: Instant | null = null;
  for (const { until, released_at } of pins.values()) {
    const ended = released_at !== null && released_at < until ? released_at : until;
    if (held === null || ended > held) held = ended;
  }
  return held;
}
