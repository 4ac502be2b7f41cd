/** How long the link to a shared file works. A client of the protocol cannot ask for a new link while it reads. */

const HOUR = 3_600_000_000n;
/** The maximum: an expired snapshot is deleted a day later. */
const DAY = 24n * HOUR;
/** A slow line: 64 KB in a second. */
const BYTES_A_SECOND = 64_000n;

/** An hour, and more for a large file: as long as a slow line needs for it. In microseconds. */
export function linkLifetime(size_bytes: number): bigint {
  const lifetime = HOUR + (BigInt(size_bytes) * 1_000_000n) / BYTES_A_SECOND;
  return lifetime < DAY ? lifetime : DAY;
}
