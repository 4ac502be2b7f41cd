/**
 * The catalogues of a server. One is made when it is asked for, and kept until a snapshot, a mark or an expiry changes its rows;
 * one with links also until its links are replaced.
 */
import { createHash } from 'node:crypto';
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { MEMORY_BUDGET } from '../cache-budget.ts';
import { Cache } from '../cache.ts';
import { type After, ConcurrencyLimit } from '../concurrency-limit.ts';
import { CrossfootError } from '../errors.ts';
import { canonicalText } from '../snapshot/format/canonical-json.ts';
import type { Marks } from '../snapshot/format/marks.ts';
import type { PublishLog } from '../snapshot/format/publish-log.ts';
import { expiryOf } from '../snapshot/format/retention.ts';
import { pinsAt, snapshotStatus } from '../snapshot/format/snapshot-status.ts';
import type { LogReader } from '../snapshot/read/signed-reader.ts';
import type { SnapshotReader } from '../snapshot/read/snapshot-reader.ts';
import { type CatalogueForm, makeCatalogue } from './catalogue-file.ts';
import { cacheStored, gatherLake, type LakeMoment } from './gather-lake.ts';
import type { AddressOf } from './lake.ts';
import { lakeSource } from './lake-source.ts';
import type { Instant } from '../instant.ts';

/** One is made at a time; this many requests of an account may wait for theirs. */
const MAX_WAITING = 16;
/** After 30 s without a byte the server closes the connection: the refusal comes before. */
const LONGEST_WAIT_MS = 15_000;

export interface AskedCatalogue {
  readonly account_id: bigint;
  readonly form: CatalogueForm;
  /** The address of the API, ending in /v1. */
  readonly base_url: string;
  /** Links for the holder of one token; `key` is another for every token and whenever new links begin. */
  readonly links?: { readonly key: string; readonly addressOf: AddressOf } | undefined;
}

export interface Catalogue {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

export interface Catalogues {
  /** The catalogue of an account; null before its first snapshot. */
  get(asked: AskedCatalogue): Promise<Catalogue | null>;
  close(): Promise<void>;
}

export interface CatalogueTools {
  readonly snapshots: Pick<SnapshotReader, 'openTable' | 'pinned' | 'readFile'> & LogReader;
  /** By the clock that decides about expiry. */
  readonly now: () => Instant;
  readonly fs: Pick<typeof promises, 'mkdir' | 'mkdtemp' | 'readFile' | 'rm'>;
  /** The folder for files that are being made. */
  readonly root: string;
  /** Lets other requests be answered between two snapshots. */
  readonly turn: () => Promise<void>;
  readonly after?: After;
  readonly make?: typeof makeCatalogue;
}

/** Caches catalogues; `close` ends the running thread. */
export function cacheCatalogues(tools: CatalogueTools): Catalogues {
  const { snapshots, make = makeCatalogue } = tools;
  const stopping = new AbortController();
  const stored = cacheStored();
  const cache = new Cache<string, Catalogue>({
    max_bytes: MEMORY_BUDGET.catalogues,
    bytesOf: ({ bytes }) => bytes.length,
  });
  const limit = new ConcurrencyLimit<bigint>({
    at_once: 1,
    in_all: 1,
    waiting: MAX_WAITING,
    refusal: tooMany,
    ...(tools.after && { wait: { ms: LONGEST_WAIT_MS, after: tools.after, refusal: waitedTooLong } }),
  });

  async function made(asked: AskedCatalogue, moment: LakeMoment): Promise<Catalogue> {
    const { account_id, form, base_url, links } = asked;
    const lake = await gatherLake(moment, lakeSource(account_id, snapshots), stored);
    const addresses: Record<string, string> = {};
    for (const version of lake.versions) {
      await tools.turn();
      const { snapshot_id: id, stored: files } = version;
      for (const { name } of files.tables) {
        if (links !== undefined) addresses[`${id}/${name}`] = links.addressOf(id, name);
      }
    }
    await tools.fs.mkdir(tools.root, { recursive: true });
    const folder = await tools.fs.mkdtemp(join(tools.root, 'lake-'));
    try {
      const path = join(folder, 'catalogue');
      const job = { lake, form, base_url, path };
      await make(links === undefined ? job : { ...job, links: addresses }, stopping.signal);
      const bytes = new Uint8Array(await tools.fs.readFile(path));
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    } finally {
      await tools.fs.rm(folder, { recursive: true, force: true });
    }
  }

  return {
    async get(asked) {
      const { account_id } = asked;
      const [log, marks] = await Promise.all([snapshots.logOf(account_id), snapshots.marksOf(account_id)]);
      if (log.entries.length === 0) {
        if (log.fault !== null) throw log.fault;
        return null;
      }
      const moment = momentOf(log, marks, tools.now());
      const key = keyOf(asked, moment);
      return await cache.get(key, () => limit.run(account_id, () => made(asked, moment)));
    },
    async close() {
      stopping.abort();
      await cache.clear();
    },
  };
}

/** The snapshots that can be read now. */
function momentOf(log: PublishLog, marks: Marks, now: Instant): LakeMoment {
  return {
    log,
    marks,
    shows: (entry, status) => {
      const expires = expiryOf(log, entry, status);
      return expires === null || (now < expires && !status.removed);
    },
    pinsOf: (status) => pinsAt(status, now).map(({ name }) => name),
  };
}

/** Equal for requests whose catalogues have the same rows. */
function keyOf({ account_id, form, base_url, links }: AskedCatalogue, moment: LakeMoment): string {
  const { log, marks, shows, pinsOf } = moment;
  const shown = log.entries.flatMap((entry) => {
    const status = snapshotStatus(marks, entry.snapshot_id);
    return shows(entry, status) ? [[entry.seq, ...pinsOf(status)]] : [];
  });
  const chains = [log.entries.length, log.head_sha256, marks.length, marks.head_sha256];
  return canonicalText([String(account_id), form, base_url, links?.key ?? null, chains, shown]);
}

function tooMany(): CrossfootError {
  return new CrossfootError(
    'figures_in_flight',
    'Too many catalogues of this account are waiting to be made already.',
    { hint: 'Try again once one of them was answered.' },
  );
}

// 503 and not 429: the catalogues of other accounts may be what it waited for.
function waitedTooLong(): CrossfootError {
  return new CrossfootError(
    'comparison_waited',
    `This catalogue waited ${LONGEST_WAIT_MS / 1000} s for the catalogues before it; try again in some seconds.`,
    { hint: 'Wait as long as Retry-After says, then try again.' },
  );
}
