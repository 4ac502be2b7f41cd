/**
 * Remembers the last seen head (newest entry) of each publish log in two places: in files below DATA_DIR, and in schema
 * `ops` of the database. A log that later ends before that head was set back.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import type { Settings } from '../config.ts';
import { openClient } from '../ledger/connect.ts';
import { errorFields, type Logger } from '../log.ts';
import { keepSeenHead, readSeenHead } from '../ops/seen-heads.ts';
import { type CheckHead, type SeenHead, type SeenHeads, watchHeads } from '../snapshot/read/seen-heads.ts';
import { hasCode } from '../store/directories.ts';

export type HeadSettings = Pick<Settings, 'bucket' | 'dataDir' | 'objectStore'>;
/** Runs statements in a session as `cf_service`. */
type OnService = <Result>(run: (service: ClientBase | Pool) => Promise<Result>) => Promise<Result>;

const remembered = z.object({
  generation: z.string().regex(/^\d{1,18}$/),
  seq: z.int().min(0),
  entry_sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

interface HeadParts {
  readonly settings: HeadSettings;
  /** Null without a login as `cf_service`: then heads are remembered only below DATA_DIR. */
  readonly onService: OnService | null;
  readonly logger: Logger;
}

/**
 * Checks logs against the heads of both places. If one place does not answer, the other decides, and a log event says so.
 */
export function openHeadWatch({ settings, onService, logger }: HeadParts): CheckHead {
  const folder = inFolder(settings);
  const database = onService === null ? [] : [inDatabase(settings, onService)];
  return watchHeads([folder, ...database].map((memory) => tolerant(memory, logger)));
}

/** Stores this head in both places with a higher generation, so that it replaces a later head: an operator accepts it. */
export async function acceptHead(
  account_id: bigint,
  head: Pick<SeenHead, 'entry_sha256' | 'seq'>,
  { settings, onService }: { readonly settings: HeadSettings; readonly onService: OnService },
): Promise<void> {
  const memories = [inDatabase(settings, onService), inFolder(settings)];
  const heads = await Promise.all(memories.map((memory) => memory.read(account_id)));
  const generation =
    heads.reduce(
      (latest, each) => (each !== null && each.generation > latest ? each.generation : latest),
      0n,
    ) + 1n;
  for (const memory of memories) await memory.write(account_id, { ...head, generation });
}

/** Opens a session for each call: for a command, which makes a few calls. */
export function onOwnSession(url: string): OnService {
  return async (run) => {
    await using client = await openClient({ url, role: 'cf_service', applicationName: 'crossfoot head' });
    return await run(client);
  };
}

/** The name of the store in both places: its address without credentials. */
function nameOf({ objectStore, bucket }: HeadSettings): string {
  return [bucket.endpoint, objectStore.href].filter((part) => part !== null && part !== undefined).join(' ');
}

function inDatabase(settings: HeadSettings, onService: OnService): SeenHeads {
  const store = nameOf(settings);
  return {
    read: (account_id) => onService((service) => readSeenHead(service, account_id, store)),
    write: (account_id, head) => onService((service) => keepSeenHead(service, account_id, store, head)),
  };
}

// The file is `<DATA_DIR>/heads/<account>-<digest of the store's address>.json`. A rename replaces it atomically.
function inFolder(settings: HeadSettings): SeenHeads {
  const folder = join(settings.dataDir, 'heads');
  const store = createHash('sha256').update(nameOf(settings)).digest('hex').slice(0, 12);
  const pathOf = (account_id: bigint): string => join(folder, `${account_id}-${store}.json`);
  const read = async (account_id: bigint): Promise<SeenHead | null> => {
    const text = await readFile(pathOf(account_id), 'utf8').catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    });
    if (text === null) return null;
    const { generation, ...head } = remembered.parse(JSON.parse(text));
    return { ...head, generation: BigInt(generation) };
  };
  return {
    read,
    write: async (account_id, head) => {
      const before = await read(account_id);
      const isLater =
        before === null ||
        head.generation > before.generation ||
        (head.generation === before.generation && head.seq > before.seq);
      if (!isLater) return;
      await mkdir(folder, { recursive: true, mode: 0o750 });
      const path = pathOf(account_id);
      const part = `${path}.${randomUUID()}`;
      await writeFile(part, JSON.stringify({ ...head, generation: String(head.generation) }), {
        mode: 0o640,
      });
      await rename(part, path);
    },
  };
}

function tolerant(memory: SeenHeads, logger: Logger): SeenHeads {
  const orNull = (account: bigint) => (error: unknown) => {
    logger.warn('head.unremembered', { account, ...errorFields(error) });
    return null;
  };
  return {
    read: (account_id) => memory.read(account_id).catch(orNull(account_id)),
    write: async (account_id, head) => {
      await memory.write(account_id, head).catch(orNull(account_id));
    },
  };
}
