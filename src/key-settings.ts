/**
 * The settings of keys: secrets for cursors and links, keys that sign snapshots, and public keys whose signatures count.
 */
import { z } from 'zod';
import { readPublicKey } from './signing/keys.ts';

/** Minimum length of a secret for cursors and links: 32 hexadecimal digits are 128 bits. */
export const MIN_SECRET_CHARACTERS = 32;

const parts = (text: string): string[] => text.split(',').map((part) => part.trim());

/** Form and purpose of each setting, as in `config.ts`. */
export const KEY_SETTINGS = {
  SECRET_KEYS: {
    schema: z
      .string()
      .transform(parts)
      .pipe(z.array(z.string().min(MIN_SECRET_CHARACTERS)))
      .optional(),
    expected: `one or more keys of at least ${MIN_SECRET_CHARACTERS} characters, separated by commas`,
    absent: 'one below `DATA_DIR`; with `DATABASE_URL` or `LEDGER_URL`, `serve` and `start` require it',
    sentence:
      'Keys that sign cursors, links, sessions and tokens of connected assistants, the same on every server. The first key signs and all keys verify. Add a new key last, and put it first once every server has it.',
    secret: true,
  },
  SIGNING_KEYS: {
    schema: z
      .string()
      .transform(parts)
      .pipe(z.array(z.string().regex(/^[0-9a-f]{64}$/)))
      .optional(),
    expected: 'one or more keys of 64 hexadecimal digits, separated by commas',
    absent: 'one kept below `DATA_DIR`; with `DATABASE_URL` set, every command that publishes requires it',
    sentence:
      'Ed25519 keys that sign snapshots, pins and retractions; `openssl rand -hex 32` makes one. The first key signs, and the signatures of all count. Only builders and operators need them, not `serve`.',
    secret: true,
  },
  SIGNING_PUBLIC_KEYS: {
    schema: z
      .string()
      .transform(parts)
      .pipe(z.array(z.string().refine((text) => readPublicKey(text) !== null)))
      .default([]),
    expected: 'Ed25519 public keys as OpenSSH writes them, separated by commas; each may end in @from..until',
    absent: 'the public parts of `SIGNING_KEYS`',
    sentence:
      'Public keys whose signatures count besides those of `SIGNING_KEYS`: for `serve`, and for keys no longer in use. `npx --no crossfoot doctor` prints the key of a builder.',
  },
} as const;

export interface SigningSettings {
  /** Seeds of 64 hexadecimal digits; null: not set. */
  readonly seeds: readonly string[] | null;
  /** Each as `readPublicKey` reads it. */
  readonly public_keys: readonly string[];
  /** The folder in which the program stores a key of its own; null: `seeds` must be set. */
  readonly folder: string | null;
}
