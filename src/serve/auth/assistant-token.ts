/**
 * The codes and tokens of the assistant's sign-in. Each is a sealed random number, so that a forged or mistyped one needs no
 * look-up. The seal is bound to the kind and to the address of the assistant: no token of another kind or server opens it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createSeals } from './seals.ts';

const RANDOM_BYTES = 32;
const PREFIXES = { code: 'cf_oac_', access: 'cf_oat_', refresh: 'cf_ort_' } as const;

export type AssistantTokenKind = keyof typeof PREFIXES;

export interface AssistantTokens {
  /** A new token for the assistant at this address. */
  make(kind: AssistantTokenKind, audience: string): string;
  /** The token that follows a refresh token: always the same, so that a client whose answer was lost can ask again. */
  follow(kind: AssistantTokenKind, audience: string, refresh_token: string): string;
  /** The SHA-256 by which the token is stored; null for a text that is no such token of this server. */
  digest(kind: AssistantTokenKind, text: string, audience: string): Buffer | null;
}

/** Tokens that the first key seals and every key opens. */
export function createAssistantTokens(keys: readonly [string, ...string[]]): AssistantTokens {
  const seals = createSeals(keys, { purpose: 'assistant tokens', content_bytes: RANDOM_BYTES });
  const seal = (kind: AssistantTokenKind, audience: string, number: Buffer): string =>
    PREFIXES[kind] + seals.seal(number, boundOf(kind, audience));
  return {
    make: (kind, audience) => seal(kind, audience, randomBytes(RANDOM_BYTES)),
    // Only this server can seal the number: the last token alone gives no next token.
    follow: (kind, audience, refresh_token) =>
      seal(kind, audience, createHash('sha256').update(`${kind} after ${refresh_token}`).digest()),
    digest(kind, text, audience) {
      if (!text.startsWith(PREFIXES[kind])) return null;
      const number = seals.open(text.slice(PREFIXES[kind].length), boundOf(kind, audience));
      return number === null ? null : createHash('sha256').update(text).digest();
    },
  };
}

function boundOf(kind: AssistantTokenKind, audience: string): string {
  return `${kind} ${audience}`;
}
