import type { Instant } from '../../src/instant.ts';
import { parseInstant } from '../../src/time.ts';

/** The instant that a test writes as text. */
export function instantOf(text: string): Instant {
  const read = parseInstant(text);
  if (read === null) throw new RangeError(`${text} is no instant`);
  return read;
}
