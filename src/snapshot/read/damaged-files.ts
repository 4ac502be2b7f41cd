/** Files that this process found damaged. Each is refused until all its bytes were read again and match their digests. */
import { isCrossfootError, type CrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { type Instant, SECOND } from '../../instant.ts';
import type { Quarantine } from '../format/snapshot-status.ts';
import { readChecked } from './checked-read.ts';
import type { CheckedFile, DamagedPlace } from './file-blocks.ts';

/** A damaged file is checked again at most this often. If it is still damaged, the check reads one block. */
const LOOK_AGAIN_MICROSECONDS = 5n * SECOND;

interface Damage {
  readonly key: string;
  readonly of: DamagedPlace | undefined;
  readonly fault: CrossfootError;
  readonly found_at: Instant;
  readonly seen_at: Instant;
  /** Reads the file again; throws if it is still damaged. */
  readonly again: () => Promise<unknown>;
}

export interface DamagedFiles {
  /** The keys of the files known to be damaged. */
  keys(): readonly string[];
  /** The quarantine of a snapshot, with the files known to be damaged; null if there are none. */
  with(quarantine: Quarantine | null, of: Omit<DamagedPlace, 'file'>): Quarantine | null;
  /** Remembers the file as damaged if the error says so. */
  note(file: CheckedFile, error: unknown): void;
  /** Remembers a file without blocks as damaged if `read` says so, and forgets it once `read` has its bytes. */
  noting<Read>(key: string, of: DamagedPlace, read: () => Promise<Read>): Promise<Read>;
  /** Throws the error of a file known to be damaged. For any other file it reads nothing. */
  refuse(file: CheckedFile): Promise<void>;
  /** Reads damaged files again, each at most every five seconds. */
  lookAgain(): Promise<void>;
}

interface DamageTools {
  readonly store: StoreReader;
  readonly now: () => Instant;
  /** Told of each file as it is found damaged, and not again while it stays so. */
  readonly onDamage?: (place: DamagedPlace) => void;
  /** False once the snapshot has expired: its files are gone on purpose. */
  readonly isKept?: (place: DamagedPlace) => Promise<boolean>;
}

/** Remembers damaged files until they are whole, or their snapshot expires. */
export function damagedFiles({
  store,
  now,
  onDamage = () => undefined,
  isKept = async () => true,
}: DamageTools): DamagedFiles {
  const damaged = new Map<string, Damage>();
  const looking = new Map<string, Promise<void>>();

  function remember(file: Pick<Damage, 'key' | 'of' | 'again'>, error: unknown): void {
    if (!isCrossfootError(error, 'file_corrupt')) return;
    const { key, of, again } = file;
    const known = damaged.get(key);
    const seen_at = now();
    damaged.set(key, { key, of, again, fault: error, found_at: known?.found_at ?? seen_at, seen_at });
    if (known === undefined && of !== undefined) onDamage(of);
  }

  /** Reads the bad block again, and the whole file only if that block is now right. */
  async function readAgain(file: CheckedFile): Promise<void> {
    const first = Number(damaged.get(file.key)?.fault.data['block'] ?? 0) * file.block_bytes;
    const last = Math.min(first + file.block_bytes, file.size_bytes) - 1;
    for await (const _ of readChecked(store, file, first, last));
    for await (const _ of readChecked(store, file, 0, file.size_bytes - 1)); // without the cache, to the end
  }

  async function look(damage: Damage): Promise<void> {
    try {
      await damage.again();
      damaged.delete(damage.key);
    } catch (error) {
      // Also if the store does not answer, the next look is five seconds away.
      damaged.set(damage.key, { ...damage, seen_at: now() });
      remember(damage, error);
      throw error;
    }
  }

  async function refuse({ key }: Pick<CheckedFile, 'key'>): Promise<void> {
    const damage = damaged.get(key);
    if (damage === undefined) return;
    const running = looking.get(key);
    if (running !== undefined) return await running;
    if (now() - damage.seen_at < LOOK_AGAIN_MICROSECONDS) throw damage.fault;
    const started = look(damage).finally(() => looking.delete(key));
    looking.set(key, started);
    await started;
  }

  return {
    keys: () => [...damaged.keys()],
    with(quarantine, { account_id, snapshot_id }) {
      const own = [...damaged.values()].filter(
        ({ of }) => of?.account_id === account_id && of.snapshot_id === snapshot_id,
      );
      const [first] = own;
      if (first === undefined) return quarantine;
      const names = own.flatMap(({ of }) => of?.file ?? []);
      const files = [...new Set([...(quarantine?.files ?? []), ...names])];
      return { at: quarantine?.at ?? first.found_at, files };
    },
    note: (file, error) => remember({ key: file.key, of: file.of, again: () => readAgain(file) }, error),
    async noting(key, of, read) {
      try {
        const content = await read();
        damaged.delete(key);
        return content;
      } catch (error) {
        remember({ key, of, again: read }, error);
        throw error;
      }
    },
    refuse,
    async lookAgain() {
      const looks = [...damaged.values()].map(async ({ key, of }) => {
        if (of !== undefined && !(await isKept(of))) damaged.delete(key);
        else await refuse({ key });
      });
      await Promise.allSettled(looks);
    },
  };
}
