/** The files that were found damaged: refused from then on, until every byte of them was read and is right again. */
import { isCrossfootError, type CrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { readChecked } from './checked-read.ts';
import type { CheckedFile } from './file-blocks.ts';

/** A restored file is served again within this time. Each look at a file that is still damaged reads one block. */
const LOOK_AGAIN_MICROSECONDS = 5_000_000n;

interface Damage {
  readonly fault: CrossfootError;
  readonly seen_at: bigint;
}

export interface DamagedFiles {
  /** How many are known. */
  count(): number;
  /** Remembers the file if this error says that it is damaged. */
  note(file: CheckedFile, error: unknown): void;
  /** Throws the fault of a file that is known to be damaged; nothing is read for one that is not. */
  refuse(file: CheckedFile): Promise<void>;
}

/** Remembers damage for as long as the process lives. */
export function damagedFiles({ store, now }: { store: StoreReader; now: () => bigint }): DamagedFiles {
  const damaged = new Map<string, Damage>();
  const looking = new Map<string, Promise<void>>();

  function note(file: CheckedFile, error: unknown): void {
    if (isCrossfootError(error, 'file_corrupt')) damaged.set(file.key, { fault: error, seen_at: now() });
  }

  /** Reads the block that was bad, and the whole file only once that block is right. */
  async function lookAgain(file: CheckedFile, fault: CrossfootError): Promise<void> {
    const first = Number(fault.data['block'] ?? 0) * file.block_bytes;
    const last = Math.min(first + file.block_bytes, file.size_bytes) - 1;
    try {
      for await (const _ of readChecked(store, file, first, last));
      for await (const _ of readChecked(store, file, 0, file.size_bytes - 1)); // from the store alone, to its end
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
