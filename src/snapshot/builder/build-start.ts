/** What a build checks before it begins: that the publish log is sound, and that the requested snapshot does not exist yet. */
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { StoreReader } from '../../store/store.ts';
import type { CheckHead } from '../read/seen-heads.ts';
import { manifestKey } from '../format/keys.ts';
import { decodeManifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import { entryOfNight, type LogEntry, type PublishLog } from '../format/publish-log.ts';
import { readLog } from '../read/read-log.ts';
import type { Instant } from '../../instant.ts';

interface Tools {
  readonly store: StoreReader;
  readonly clock: Clock;
  /** Throws if the log is older than the log seen before; otherwise remembers its newest entry. */
  readonly checkHead?: CheckHead | undefined;
}

export interface BuildJob {
  readonly account_id: bigint;
  /** 128 random bits in lower-case hex, unique to this build. */
  readonly nonce: string;
  /** The night of the build, `YYYY-MM-DD`; null for the night in which its moment lies. */
  readonly night: string | null;
  /** True: build only if that night has no snapshot yet. */
  readonly once: boolean;
  /** When a rebuild was requested. A snapshot of a later moment fulfils the request. */
  readonly requested_at?: Instant | undefined;
  /** The machine and process that build. */
  readonly builder: string;
  /** Since when the build is timed; since its first step if omitted. */
  readonly began_at?: Instant | undefined;
  /** For tests: use this moment instead of the database's. The same ledger then gives the same bytes. */
  readonly at?: Instant | undefined;
  /** The number of ranges that a long table is cut into; `cut_long` decides if omitted. */
  readonly ranges?: number | undefined;
  /** The same for an account whose newest snapshot has more than `MANY_ROWS` rows; 1 if omitted. */
  readonly cut_long?: number | undefined;
  /** True: publish although the newest snapshot read a later state of the ledger, as after a restore. */
  readonly accept_ledger?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** Reads the whole log. Throws if the log is broken, or older than the log seen before. */
export async function readKnownLog(
  account_id: bigint,
  { store, clock, checkHead }: Tools,
): Promise<PublishLog> {
  const known = await untilAnswered(clock, () => readLog(store, account_id));
  if (known.fault !== null) throw known.fault;
  await checkHead?.(known);
  return known;
}

/** Remembers the entry just published. An error does not fail the build, because the next reader remembers the entry. */
export async function rememberPublished(
  log: PublishLog,
  { checkHead }: Pick<Tools, 'checkHead'>,
): Promise<void> {
  await checkHead?.(log).catch(() => undefined);
}

/**
 * The entry that already fulfils the request: with `once` the first entry of its night, for a rebuild an entry whose moment is
 * later than the request. Undefined if a build is needed.
 */
export async function alreadyBuilt(
  known: PublishLog,
  { account_id, night, once, requested_at }: BuildJob,
  tools: Tools,
): Promise<LogEntry | undefined> {
  if (once && night !== null) return entryOfNight(known, night);
  const head = known.entries.at(-1);
  if (requested_at === undefined || head === undefined) return undefined;
  // A request can be fulfilled already: a worker may be killed after it published, before it removed the job from the queue.
  if (head.published_at < requested_at) return undefined;
  const key = manifestKey(head.prefix);
  const bytes = await untilAnswered(tools.clock, () => tools.store.readSmall(key, MANIFEST_CAP_BYTES));
  if (bytes === null) return undefined;
  const { generated_at } = decodeManifest(bytes, { ...head, account_id });
  // A snapshot dated in the future, later than it was published, fulfils no request.
  return generated_at >= requested_at && generated_at <= head.published_at ? head : undefined;
}
