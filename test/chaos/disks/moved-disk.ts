/**
 * Loaded before the program: its disk dates files by so many days more, as a file server whose clock is ahead does. The
 * kernel dates files by its own clock, which no library can move.
 */
import { open } from 'node:fs/promises';

const NANOSECONDS_PER_DAY = 86_400_000_000_000n;

const days = BigInt(process.env['MOVED_DISK_DAYS'] ?? '0');
const handle = await open(import.meta.filename);
const kind = Object.getPrototypeOf(handle) as { stat: (options?: object) => Promise<{ mtimeNs?: bigint }> }; // as Node documents it
await handle.close();
const { stat } = kind;
kind.stat = async function statMoved(this: typeof kind, options) {
  const found = await stat.call(this, options);
  if (found.mtimeNs !== undefined) found.mtimeNs += days * NANOSECONDS_PER_DAY;
  return found;
};
