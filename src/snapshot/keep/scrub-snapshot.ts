/** Reading one snapshot again, and what follows from how it was found. */
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { appendMark, type MarkTools } from './append-mark.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { findDamage, type Findings } from './find-damage.ts';
import { formatInstant, instant } from '../../time.ts';
import { checkedKey, secondOfCheckedKey } from '../format/keys.ts';
import type { DueSnapshot } from './scrub-plan.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import { type Pin, pinsAt, type Standing, standingOf } from '../format/standing.ts';

/** Wrong as often as this, the later times over new connections, is wrong in the store and not on the way. */
const TRIES = 3;
/** Less than half of what a disk or a bucket gives: whoever is served meanwhile hardly notices. */
const BYTES_PER_MS = 64_000;

/** A snapshot whose damage no reading makes go away. */
export interface DamagedSnapshot extends DueSnapshot {
  readonly files: readonly string[];
  /** What was to keep it: a pinned snapshot that is lost is said to be lost. */
  readonly pins: readonly Pin[];
}

export interface ReadSnapshot {
  readonly damaged: readonly string[];
  /** All that was read, of every try. */
  readonly bytes: number;
}

export interface SnapshotScrubTools extends MarkTools {
  /** The store over connections of its own. */
  readonly openStore: () => Promise<Store>;
  /** The clock that snapshots are kept by. */
  readonly now: bigint;
  readonly by: string;
  readonly onDamage: (snapshot: DamagedSnapshot) => void;
  readonly onRestored: (snapshot: DueSnapshot) => void;
  /** A file that nobody published: it is never served, and left where it is. */
  readonly onStrange: (snapshot: DueSnapshot, file: string) => void;
}

/** Reads the snapshot to its last byte; puts it into quarantine, or lifts that, and says so. */
export async function scrubSnapshot(snapshot: DueSnapshot, tools: SnapshotScrubTools): Promise<ReadSnapshot> {
  const findings = await findLastingDamage(snapshot, tools);
  const files = [...findings.damaged];
  for (const file of findings.strange) tools.onStrange(snapshot, file);
  if (files.length > 0) {
    const standing = await say(snapshot, tools, ({ quarantine }) =>
      quarantine?.files.join() === files.join() ? null : { kind: 'quarantined', files },
    );
    // Its removal began while it was read: what is missing is missing on purpose.
    if (standing.removed) return { ...findings, damaged: [] };
    tools.onDamage({ ...snapshot, files, pins: pinsAt(standing, tools.now) });
    return findings;
  }
  if (snapshot.quarantined) {
    await say(snapshot, tools, ({ quarantine }) => (quarantine === null ? null : { kind: 'restored' }));
    tools.onRestored(snapshot);
  }
  await noteChecked(snapshot, tools);
  return findings;
}

async function findLastingDamage(
  { account_id, entry, keys }: DueSnapshot,
  { store, openStore, pace }: SnapshotScrubTools,
): Promise<Findings & ReadSnapshot> {
  const began = pace.now();
  let bytes = 0;
  const onRead = async (read: number): Promise<void> => {
    bytes += read;
    const early_ms = bytes / BYTES_PER_MS - Number((pace.now() - began) / 1000n);
    if (early_ms > 0) await pace.sleep(early_ms);
  };
  const job = { account_id, entry, keys };
  let findings = await findDamage(job, { store, pace, onRead });
  for (let tries = 1; findings.damaged.length > 0 && tries < TRIES; tries += 1) {
    findings = await findDamage(job, { store: await openStore(), pace, onRead });
  }
  return { ...findings, bytes };
}

type Saying = { readonly kind: 'restored' } | { readonly kind: 'quarantined'; readonly files: string[] };

/** Says it of a snapshot that is not being removed, unless there is nothing to say; gives how it stands then. */
async function say(
  { account_id, entry }: DueSnapshot,
  tools: SnapshotScrubTools,
  decide: (standing: Standing) => Saying | null,
): Promise<Standing> {
  const { snapshot_id } = entry;
  const marks = await appendMark(
    account_id,
    (known) => {
      const standing = standingOf(known, snapshot_id);
      const saying = standing.removed ? null : decide(standing);
      if (saying === null) return null;
      return { ...saying, snapshot_id, at: instant(tools.now), by: tools.by };
    },
    tools,
  );
  return standingOf(marks, snapshot_id);
}

// The new one first: whoever dies in between leaves one too many, and that is no harm.
async function noteChecked({ entry, keys }: DueSnapshot, tools: SnapshotScrubTools): Promise<void> {
  const { store, pace, now, by } = tools;
  const key = checkedKey(entry.prefix, snapshotIdOf(now));
  await untilAnswered(pace, () => store.create(key, encodeCanonical({ at: formatInstant(now), by })));
  for (const earlier of keys) {
    if (secondOfCheckedKey(entry.prefix, earlier) === null || earlier === key) continue;
    await untilAnswered(pace, () => store.delete(earlier));
  }
}
