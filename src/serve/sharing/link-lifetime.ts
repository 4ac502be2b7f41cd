/** How long the link to a shared file works. A client of the protocol cannot ask for a new link while it reads. */
import { DAY, HOUR, SECOND } from '../../instant.ts';

/** A slow line: 64 KB in a second. */
const BYTES_A_SECOND = 64_000n;

/**
 * An hour, and more for a large file: as long as a slow line needs for it. A day at most: an expired snapshot is deleted a day
 * later. In microseconds.
 */
export function linkLifetime(size_bytes: number): bigint {
  const lifetime = HOUR + (BigInt(size_bytes) * SECOND) / BYTES_A_SECOND;
  return lifetime < DAY ? lifetime : DAY;
}
