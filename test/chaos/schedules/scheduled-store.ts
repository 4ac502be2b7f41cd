/** The store as one process of a schedule sees it: every call waits for its turn and may go wrong in each of its ways. */
import { CrossfootError } from '../../../src/errors.ts';
import type { Content, Store } from '../../../src/store/store.ts';
import type { Chance } from '../chance.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Shelf } from './shelf.ts';

/** How often what befalls a call, of one. */
export interface Weather {
  /** No answer: half of them were applied, some are applied long after. */
  readonly lost: number;
  readonly refused: number;
  /** The process dies, before the call was applied or after. */
  readonly death: number;
  /** A listing that is older than the store, or lacks some keys. */
  readonly stale: number;
  /** A file of a build arrives cut short, and the store does not notice. */
  readonly torn: number;
}

/** How often each befell a call. */
export interface Befallen {
  lost: number;
  late: number;
  refused: number;
  deaths: number;
  stale: number;
  torn: number;
}

interface StoreParts {
  readonly scheduler: Scheduler;
  readonly shelf: Shelf;
  readonly chance: Chance;
  readonly befallen: Befallen;
  /** As it is now: a storm ends. */
  readonly weather: () => Weather;
}

const PART = /\/s\/[^/]*\/[^/]*\.(?:parquet|blocks)$/;

/** A new signal each time: a waiter on a lasting signal would stay in memory as long as the signal. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Opens it for one process. */
export function scheduledStore(actor: Actor, given: StoreParts): Store {
  const { scheduler, shelf, chance, befallen } = given;

  async function call<T>(what: string, apply: () => T, writes: boolean): Promise<T> {
    await scheduler.turn(actor, what);
    const { lost, refused, death } = given.weather();
    const drawn = chance.next();
    if (drawn < death) {
      if (writes && chance.happens(0.5)) apply();
      befallen.deaths += 1;
      scheduler.kill(actor);
      return await never();
    }
    if (drawn < death + refused) {
      befallen.refused += 1;
      scheduler.note(actor, 'is refused');
      throw new CrossfootError('store_unavailable', 'store: refused.');
    }
    if (drawn < death + refused + lost) {
      loseAnswer(what, apply, writes);
      throw new CrossfootError('store_outcome_unknown', 'store: no answer.');
    }
    return apply();
  }

  function loseAnswer(what: string, apply: () => unknown, writes: boolean): void {
    befallen.lost += 1;
    const fate = writes ? chance.oneOf(['never', 'now', 'now', 'late'] as const) : 'never';
    scheduler.note(actor, `hears nothing, applied ${fate}`);
    if (fate === 'now') apply();
    if (fate !== 'late') return;
    befallen.late += 1;
    scheduler.later(`late ${what}`, apply);
  }

  function torn(key: string, bytes: Uint8Array): Uint8Array {
    if (!PART.test(key) || !chance.happens(given.weather().torn)) return bytes;
    befallen.torn += 1;
    scheduler.note(actor, `its ${key} is torn`);
    return bytes.slice(0, -1);
  }

  function listed(prefix: string): readonly string[] {
    const keys = shelf.keysBelow(prefix);
    if (!chance.happens(given.weather().stale)) return keys;
    befallen.stale += 1;
    scheduler.note(actor, 'sees a stale listing');
    const gone = [...shelf.deleted].filter((key) => key.startsWith(prefix) && chance.happens(0.5));
    const keep = chance.oneOf([0, 0.5, 0.9]);
    return [...keys.filter(() => chance.happens(keep)), ...gone].toSorted();
  }

  return {
    async create(key, body) {
      const bytes = body instanceof Uint8Array ? body : await gather(body);
      const apply = (): 'created' | 'exists' => shelf.create(key, torn(key, bytes), scheduler.now);
      return await call(`create ${key}`, apply, true);
    },
    readSmall: (key, cap_bytes) => call(`read ${key}`, () => withinCap(shelf.bytesAt(key), cap_bytes), false),
    stat: (key) =>
      call(
        `stat ${key}`,
        () => {
          const found = shelf.objects.get(key);
          if (found === undefined) return null;
          return { size: found.bytes.length, created_at: BigInt(found.created_at) };
        },
        false,
      ),
    async *readRange(key, offset, length) {
      yield await call(
        `range ${key}`,
        () => {
          const bytes = shelf.bytesAt(key);
          if (bytes !== null && bytes.length >= offset + length) return bytes.slice(offset, offset + length);
          throw new CrossfootError('store_object_missing', 'store: absent or too short.', { data: { key } });
        },
        false,
      );
    },
    async *list(prefix) {
      yield* await call(`list ${prefix}`, () => listed(prefix), false);
    },
    delete: (key) => call(`delete ${key}`, () => shelf.delete(key), true),
  };
}

function withinCap(bytes: Uint8Array | null, cap_bytes: number): Uint8Array | null {
  if (bytes === null || bytes.length <= cap_bytes) return bytes;
  throw new CrossfootError('store_object_too_large', 'store: too large.');
}

async function gather({ open }: Content): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of open()) pieces.push(piece);
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : new Uint8Array(Buffer.concat(pieces));
}
