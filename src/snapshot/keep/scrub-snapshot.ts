/** Reads one snapshot again, and sets or lifts its quarantine. */
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { appendMark, type MarkTools } from './append-mark.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { findDamage, type Findings } from './find-damage.ts';
import { type Instant, toMs } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import { checkedKey, secondOfCheckedKey } from '../format/keys.ts';
import type { DueSnapshot } from './scrub-plan.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import { type Pin, pinsAt, type SnapshotStatus, snapshotStatus } from '../format/snapshot-status.ts';

/** A file that is wrong in all these reads, later ones over new connections, is damaged in the store, not on the way. */
export const TRIES = 3;
/** Less than half the rate of a disk or bucket, so that requests served meanwhile hardly slow down. */
const BYTES_PER_MS = 64_000;

/** Counts the bytes read since it was made, and waits as long as they came too fast. */
export function meter({ now, sleep }: Clock): {
  readonly onRead: (bytes: number) => Promise<void>;
  readonly bytes: () => number;
} {
  const began = now();
  let bytes = 0;
  return {
    bytes: () => bytes,
    async onRead(read) {
      bytes += read;
      const early_ms = bytes / BYTES_PER_MS - toMs(now() - began);
      if (early_ms > 0) await sleep(early_ms);
    },
  };
}

/** A snapshot that was found damaged in every read. */
export interface DamagedSnapshot extends DueSnapshot {
  readonly files: readonly string[];
  /** Its pins, so that the loss of a pinned snapshot is reported. */
  readonly pins: readonly Pin[];
}

export interface ReadSnapshot {
  readonly damaged: readonly string[];
  /** Bytes read in all tries together. */
  readonly bytes: number;
}

export interface SnapshotScrubTools extends MarkTools {
  /** Opens the store again over new connections. */
  readonly openStore: () => Promise<Store>;
  /** The time by which snapshots expire. */
  readonly now: Instant;
  readonly by: string;
  readonly onDamage: (snapshot: DamagedSnapshot) => void;
  readonly onRestored: (snapshot: DueSnapshot) => void;
  /** Called for a file that the manifest does not name. It is never served, and not deleted. */
  readonly onStrange: (snapshot: DueSnapshot, file: string) => void;
  /** Called for a signature by a key that is not among those of the settings. */
  readonly onUnknownKey: (snapshot: DueSnapshot, key_id: string) => void;
  /** Called for a damaged comparison with an earlier snapshot, with its directory. It is never read, and not deleted. */
  readonly onDamagedComparison: (snapshot: DueSnapshot, prefix: string) => void;
}

/** Reads the snapshot to its last byte, sets or lifts its quarantine, and reports that. */
export async function scrubSnapshot(snapshot: DueSnapshot, tools: SnapshotScrubTools): Promise<ReadSnapshot> {
  const findings = await findLastingDamage(snapshot, tools);
  const files = [...findings.damaged];
  for (const file of findings.strange) tools.onStrange(snapshot, file);
  for (const key_id of findings.unknown_keys) tools.onUnknownKey(snapshot, key_id);
  if (files.length > 0) {
    const status = await say(snapshot, tools, ({ quarantine }) =>
      quarantine?.files.join() === files.join() ? null : { kind: 'quarantined', files },
    );
    // Its removal began during the read: files are missing on purpose.
    if (status.removed) return { ...findings, damaged: [] };
    tools.onDamage({ ...snapshot, files, pins: pinsAt(status, tools.now) });
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
  { store, openStore, clock }: SnapshotScrubTools,
): Promise<Findings & ReadSnapshot> {
  const { onRead, bytes } = meter(clock);
  const job = { account_id, entry, keys };
  let findings = await findDamage(job, { store, clock, onRead });
  for (let tries = 1; findings.damaged.length > 0 && tries < TRIES; tries += 1) {
    findings = await findDamage(job, { store: await openStore(), clock, onRead });
  }
  return { ...findings, bytes: bytes() };
}

type Saying = { readonly kind: 'restored' } | { readonly kind: 'quarantined'; readonly files: string[] };

/** Appends the quarantine mark, if one is needed and the snapshot is not being removed; returns the status after it. */
async function say(
  { account_id, entry }: DueSnapshot,
  tools: SnapshotScrubTools,
  decide: (status: SnapshotStatus) => Saying | null,
): Promise<SnapshotStatus> {
  const { snapshot_id } = entry;
  const marks = await appendMark(
    account_id,
    (known) => {
      const status = snapshotStatus(known, snapshot_id);
      const saying = status.removed ? null : decide(status);
      if (saying === null) return null;
      return { ...saying, snapshot_id, at: tools.now, by: tools.by };
    },
    tools,
  );
  return snapshotStatus(marks, snapshot_id);
}

// Create the new object before deleting the old one. A crash between the two leaves both, which is harmless.
async function noteChecked({ entry, keys }: DueSnapshot, tools: SnapshotScrubTools): Promise<void> {
  const { store, clock, now, by } = tools;
  const key = checkedKey(entry.prefix, snapshotIdOf(now));
  await untilAnswered(clock, () => store.create(key, encodeCanonical({ at: formatInstant(now), by })));
  for (const earlier of keys) {
    if (secondOfCheckedKey(entry.prefix, earlier) === null || earlier === key) continue;
    await untilAnswered(clock, () => store.delete(earlier));
  }
}
