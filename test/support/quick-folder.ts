import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
// Two workers were seen to fill a third of it; a container has 64 MB unless it was given more.
const ROOM_BYTES = 4 * 1024 ** 3;

/** Where folders are made for a while: in memory where the machine has room there, for an fsync then costs nothing. */
export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize < ROOM_BYTES ? tmpdir() : IN_MEMORY;
  } catch {
    return tmpdir();
  }
}
