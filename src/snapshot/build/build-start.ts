/** What a build looks at before it begins: the log, and whether the snapshot it is asked for is there already. */
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { StoreReader } from '../../store/store.ts';
import type { CheckHead } from '../read/seen-heads.ts';
import { manifestKey } from '../format/keys.ts';
import { decodeManifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import { entryOfNight, type LogEntry, type PublishLog } from '../format/publish-log.ts';
import { readLog, readOn } from '../read/read-log.ts';

interface Tools {
  readonly store: StoreReader;
  readonly pace: Pace;
  /** Refuses a log that is older than one that was seen, and remembers its head. */
  readonly checkHead?: CheckHead | undefined;
}

export interface BuildJob {
  readonly account_id: bigint;
  /** 128 random bits in lower-case hex, drawn for this build alone. */
  readonly nonce: string;
  /** The night it is built for, `YYYY-MM-DD`; null for that of its moment. */
  readonly night: string | null;
  /** True: only if that night has no snapshot yet. */
  readonly once: boolean;
  /** When a rebuild was requested: a snapshot of a later moment answers it. */
  readonly requested_at?: bigint | undefined;
  /** Which machine and process builds it. */
  readonly builder: string;
  /** The moment to state instead of the database's, for tests: the same ledger then gives the same bytes. */
  readonly at?: bigint | undefined;
  readonly signal: AbortSignal;
}

/** The log, whole and no older than one that was seen; a fault in it ends the build. */
export async function readKnownLog(
  account_id: bigint,
  { store, pace, checkHead }: Tools,
): Promise<PublishLog> {
  const known = await untilAnswered(pace, () => readLog(store, account_id));
  if (known.fault !== null) throw known.fault;
  await checkHead?.(known);
  return known;
}

/** Remembers the entry that was just published. What keeps it from that fails no build: the next reader remembers it. */
export async function rememberPublished(known: PublishLog, { store, checkHead }: Tools): Promise<void> {
  if (checkHead === undefined) return;
  await readOn(store, known)
    .then(checkHead)
    .catch(() => undefined);
}

/** The entry that answers the request: the first of its night, or one built after a rebuild was requested. */
export async function alreadyBuilt(
  known: PublishLog,
  { account_id, night, once, requested_at }: BuildJob,
  tools: Tools,
): Promise<LogEntry | undefined> {
  if (once && night !== null) return entryOfNight(known, night);
  const head = known.entries.at(-1);
  if (requested_at === undefined || head === undefined) return undefined;
  // A worker that was killed between publishing and settling leaves the rebuild in the queue.
  if (head.published_at < requested_at) return undefined;
  const key = manifestKey(head.prefix);
  const bytes = await untilAnswered(tools.pace, () => tools.store.readSmall(key, MANIFEST_CAP_BYTES));
  if (bytes === null) return undefined;
  const { generated_at } = decodeManifest(bytes, { ...head, account_id });
  // A head of the future answers nothing: its moment is later than the entry that states it.
  return generated_at >= requested_at && generated_at <= head.published_at ? head : undefined;
}
