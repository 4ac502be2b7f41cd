import { z } from 'zod';
import type { Instant } from '../../instant.ts';
import { formatInstant, parseInstant } from '../../time.ts';

/** Stored text of an instant: decoded to an `Instant`, and encoded back to the same text. */
export const instantText = z.codec(
  z.string(),
  z.custom<Instant>((value) => typeof value === 'bigint'),
  {
    decode(text, context) {
      const read = parseInstant(text);
      if (read !== null) return read;
      context.issues.push({ code: 'custom', message: 'is not an instant', input: text });
      return z.NEVER;
    },
    encode: formatInstant,
  },
);
