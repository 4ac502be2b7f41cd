/** Files that this process found damaged. Each is refused until all its bytes were read again and match their digests. */
import { isCrossfootError, type CrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { readChecked } from './checked-read.ts';
import type { CheckedFile, DamagedPlace } from './file-blocks.ts';

/** A damaged file is checked again at most this often. If it is still damaged, the check reads one block. */
const LOOK_AGAIN_MICROSECONDS = 5_000_000n;

interface Damage {
  readonly fault: CrossfootError;
  readonly seen_at: bigint;
}

export interface DamagedFiles {
  /** The number of files known to be damaged. */
  count(): number;
  /** Remembers the file as damaged if the error says so. */
  note(file: CheckedFile, error: unknown): void;
  /** Throws the error of a file known to be damaged. For any other file it reads nothing. */
  refuse(file: CheckedFile): Promise<void>;
}

interface DamageTools {
  readonly store: StoreReader;
  readonly now: () => bigint;
  /** Told of each file as it is found damaged, and not again while it stays so. */
  readonly onDamage?: (place: DamagedPlace) => void;
}

/** Remembers damaged files until the process ends. */
export function damagedFiles({ store, now, onDamage = () => undefined }: DamageTools): DamagedFiles {
  const damaged = new Map<string, Damage>();
  const looking = new Map<string, Promise<void>>();

  function note(file: CheckedFile, error: unknown): void {
    if (!isCrossfootError(error, 'file_corrupt')) return;
    const isNew = !damaged.has(file.key);
    damaged.set(file.key, { fault: error, seen_at: now() });
    if (isNew && file.of !== undefined) onDamage(file.of);
  }

  /** Reads the bad block again, and the whole file only if that block is now right. */
  async function lookAgain(file: CheckedFile, fault: CrossfootError): Promise<void> {
    const first = Number(fault.data['block'] ?? 0) * file.block_bytes;
    const last = Math.min(first + file.block_bytes, file.size_bytes) - 1;
    try {
      for await (const _ of readChecked(store, file, first, last));
      for await (const _ of readChecked(store, file, 0, file.size_bytes - 1)); // without the cache, to the end
      damaged.delete(file.key);
    } catch (error) {
      note(file, error);
      throw error;
    }
  }

  return {
    count: () => damaged.size,
    note,
    async refuse(file) {
      const damage = damaged.get(file.key);
      if (damage === undefined) return;
      if (now() - damage.seen_at < LOOK_AGAIN_MICROSECONDS) throw damage.fault;
      const running = looking.get(file.key);
      if (running !== undefined) return await running;
      const started = lookAgain(file, damage.fault).finally(() => looking.delete(file.key));
      looking.set(file.key, started);
      await started;
    },
  };
}
