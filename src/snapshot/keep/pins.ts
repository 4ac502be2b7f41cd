/** Pins: what keeps a snapshot beyond its fourteen days. Every pin has an end; a snapshot may have several, by name. */
import { CrossfootError } from '../../errors.ts';
import { untilAnswered } from '../../store/retry.ts';
import { appendMark, type MarkTools } from './append-mark.ts';
import { instant } from '../../time.ts';
import { manifestKey } from '../format/keys.ts';
import { decodeManifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { requirePublished } from '../read/published-entry.ts';
import { standingOf } from '../format/standing.ts';

const MICROSECONDS_PER_DAY = 86_400_000_000n;
/** A year of months that were closed, and a month to look at the last of them. */
const PIN_DAYS = 400n;

export interface PinnedSnapshot {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly name: string;
  /** Which machine and process says so, and when. */
  readonly by: string;
  readonly now: bigint;
}

/** When a pin ends that was set now, unless somebody says otherwise. */
export function pinEnd(now: bigint): bigint {
  return now + PIN_DAYS * MICROSECONDS_PER_DAY;
}

/**
 * Pins the snapshot, or moves the end of its pin of this name. Either the pin holds from now on, or it is refused
 * because the removal of its files had begun: nothing comes between.
 */
export async function pin(
  wanted: PinnedSnapshot & { readonly until: bigint },
  tools: MarkTools,
): Promise<void> {
  const { account_id, snapshot_id, name, by } = wanted;
  const entry = await requirePublished(account_id, snapshot_id, tools);
  await requireManifest(account_id, entry, tools);
  const until = instant(wanted.until);
  await appendMark(
    account_id,
    (marks) => {
      const { pins, removed } = standingOf(marks, snapshot_id);
      if (removed) throw gone(snapshot_id);
      const known = pins.get(name);
      if (known?.released_at === null && known.until === until) return null;
      return { kind: 'pinned', snapshot_id, name, until, at: instant(wanted.now), by };
    },
    tools,
  );
}

/** Ends a pin now; the files go a day later, unless something else keeps them. One that has ended stays as it is. */
export async function unpin(
  { account_id, snapshot_id, name, by, now }: PinnedSnapshot,
  tools: MarkTools,
): Promise<void> {
  await appendMark(
    account_id,
    (marks) => {
      const known = standingOf(marks, snapshot_id).pins.get(name);
      if (known === undefined) {
        throw new CrossfootError('not_found', `Snapshot ${snapshot_id} has no pin ${name}.`, {
          hint: `crossfoot snapshots --account ${account_id} shows the pins there are.`,
        });
      }
      if (known.released_at !== null) return null;
      return { kind: 'unpinned', snapshot_id, name, at: instant(now), by };
    },
    tools,
  );
}

// Of what was deleted before there were marks, only the manifest tells.
async function requireManifest(
  account_id: bigint,
  entry: LogEntry,
  { store, pace }: MarkTools,
): Promise<void> {
  const key = manifestKey(entry.prefix);
  const bytes = await untilAnswered(pace, () => store.readSmall(key, MANIFEST_CAP_BYTES));
  if (bytes === null) throw gone(entry.snapshot_id);
  decodeManifest(bytes, { ...entry, account_id });
}

function gone(snapshot_id: string): CrossfootError {
  return new CrossfootError('snapshot_expired', `The files of ${snapshot_id} are being deleted or gone.`, {
    hint: 'Pin a snapshot while it may still be read: that is 14 days, and a day of grace.',
  });
}
