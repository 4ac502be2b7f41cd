/** Pins keep a snapshot longer than fourteen days. Every pin has an end; a snapshot may have several, each with a name. */
import { CrossfootError } from '../../errors.ts';
import { untilAnswered } from '../../store/retry.ts';
import { appendMark, type MarkTools } from './append-mark.ts';
import { DAY, type Instant } from '../../instant.ts';
import { manifestKey } from '../format/keys.ts';
import { decodeManifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { requirePublished } from '../read/published-entry.ts';
import type { Marks } from '../format/marks.ts';
import { pinClash } from '../format/pin-schema.ts';
import { pinsAt, snapshotStatus } from '../format/snapshot-status.ts';

/** The default length of a pin: so a year of monthly closes is kept, and one month more to read the oldest. */
const PIN_DAYS = 400n;

export interface PinnedSnapshot {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly name: string;
  /** The machine and process that pin, and the time. */
  readonly by: string;
  readonly now: Instant;
}

/** The default end of a pin that is set now. */
export function pinEnd(now: Instant): Instant {
  return now + PIN_DAYS * DAY;
}

/**
 * Pins the snapshot; if it has a pin of this name, moves the end of that pin. Throws if the deletion of the files has begun. If
 * it does not throw, the files are kept until the end of the pin.
 */
export async function pin(
  wanted: PinnedSnapshot & {
    readonly until: Instant;
    /** True: refuse if the name means another snapshot. False: `endEarlierPins` follows. If omitted, the name means the newest of both. */
    readonly free?: boolean;
  },
  tools: MarkTools,
): Promise<void> {
  const { account_id, snapshot_id, name, by } = wanted;
  const entry = await requirePublished(account_id, snapshot_id, tools);
  await requireManifest(account_id, entry, tools);
  const until = wanted.until;
  await appendMark(
    account_id,
    (marks) => {
      const { pins, removed } = snapshotStatus(marks, snapshot_id);
      if (removed) throw gone(snapshot_id);
      const known = pins.get(name);
      const others = pinnedAs(marks, name, wanted.now).filter((id) => id !== snapshot_id);
      // Beside pins of the same name a new mark counts: of these pins the last one stays.
      const isMoved = wanted.free === false && others.length > 0;
      if (known?.released_at === null && known.until === until && !isMoved) return null;
      const clash = pinClash(name, pinNames(marks, wanted.now));
      if (clash !== null) throw new CrossfootError('usage_invalid', clash);
      // A snapshot that has the pin keeps it: only its end moves.
      const isOwn = known?.released_at === null && known.until > wanted.now;
      if (wanted.free === true && others.length > 0 && !isOwn) throw taken(name, others);
      return { kind: 'pinned', snapshot_id, name, until, at: wanted.now, by };
    },
    tools,
  );
}

/**
 * Ends a pin now. The files are deleted a day later, unless their age or another pin keeps them. Changes nothing if the pin was
 * ended before; throws if the snapshot never had it.
 */
export async function unpin(
  { account_id, snapshot_id, name, by, now }: PinnedSnapshot,
  tools: MarkTools,
): Promise<void> {
  await appendMark(
    account_id,
    (marks) => {
      const known = snapshotStatus(marks, snapshot_id).pins.get(name);
      if (known === undefined) {
        throw new CrossfootError('not_found', `Snapshot ${snapshot_id} has no pin ${name}.`, {
          hint: `npx --no crossfoot snapshots --account ${account_id} shows the pins there are.`,
        });
      }
      if (known.released_at !== null) return null;
      return { kind: 'unpinned', snapshot_id, name, at: now, by };
    },
    tools,
  );
}

/**
 * Ends all pins of this name but the last pin; returns their snapshots. Several callers at once agree on the pin
 * that stays, because all marks of the account have one order.
 */
export async function endEarlierPins(
  { account_id, name, by, now }: Omit<PinnedSnapshot, 'snapshot_id'>,
  tools: MarkTools,
): Promise<readonly string[]> {
  const ended: string[] = [];
  for (;;) {
    let earlier: string | undefined;
    await appendMark(
      account_id,
      (marks) => {
        const setAt = (id: string) =>
          marks.of.get(id)?.findLast((mark) => mark.kind === 'pinned' && mark.name === name)?.seq ?? 0;
        [, earlier] = pinnedAs(marks, name, now).toSorted((a, b) => setAt(b) - setAt(a));
        return earlier === undefined ? null : { kind: 'unpinned', snapshot_id: earlier, name, at: now, by };
      },
      tools,
    );
    if (earlier === undefined) return ended;
    ended.push(earlier);
  }
}

/** The snapshots with a pin of this name that has not ended, newest first; the name means the first. */
export function pinnedAs(marks: Marks, name: string, now: Instant): readonly string[] {
  const ids = [...marks.of.keys()].toSorted().toReversed();
  return ids.filter((id) => {
    const status = snapshotStatus(marks, id);
    return !status.removed && pinsAt(status, now).some((each) => each.name === name);
  });
}

/** The names of all pins of the account that have not ended. */
function pinNames(marks: Marks, now: Instant): readonly string[] {
  return [...marks.of.keys()].flatMap((id) => pinsAt(snapshotStatus(marks, id), now).map(({ name }) => name));
}

// A version without marks may have deleted the snapshot. Then no mark says so, but its manifest is missing.
async function requireManifest(
  account_id: bigint,
  entry: LogEntry,
  { store, clock }: MarkTools,
): Promise<void> {
  const key = manifestKey(entry.prefix);
  const bytes = await untilAnswered(clock, () => store.readSmall(key, MANIFEST_CAP_BYTES));
  if (bytes === null) throw gone(entry.snapshot_id);
  decodeManifest(bytes, { ...entry, account_id });
}

function taken(name: string, others: readonly string[]): CrossfootError {
  const [newest = ''] = others;
  const ended =
    others.length === 1
      ? `the pin of ${newest}, whose files are`
      : `the pins of ${others.join(', ')}, whose files are`;
  return new CrossfootError('usage_invalid', `${name} means ${newest} until now. Nothing was changed.`, {
    hint: `Choose another name, or add --move: it ends ${ended} deleted a day later, unless their age or another pin keeps them.`,
    data: { name, snapshot_id: newest },
  });
}

function gone(snapshot_id: string): CrossfootError {
  return new CrossfootError(
    'snapshot_expired',
    `The files of ${snapshot_id} are being deleted or are gone.`,
    {
      hint: 'Pin a snapshot while it may still be read: for 14 days, and one more day.',
    },
  );
}
