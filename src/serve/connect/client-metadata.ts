/** What a client says of itself when it registers (RFC 7591). Only what is used is kept. */
import { z } from 'zod';
import { placeOf, refuseRedirect } from './redirect-address.ts';

const MAX_ADDRESSES = 10;
const MAX_NAME_CHARACTERS = 80;

export interface ClientMetadata {
  readonly name: string;
  readonly redirect_uris: readonly string[];
}

const SHAPE = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_ADDRESSES),
  // Some clients send null for what they leave out.
  client_name: z.string().nullish(),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
});

/** The metadata, or why it is refused: the code of the error (RFC 7591) and a sentence. */
export function readClientMetadata(
  value: unknown,
): ClientMetadata | { readonly error: string; readonly sentence: string } {
  const read = SHAPE.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = String(issue?.path[0] ?? 'The metadata');
    const error = field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    const sentence =
      field === 'redirect_uris'
        ? `redirect_uris must be a list of 1 to ${MAX_ADDRESSES} addresses.`
        : `${field} has another form than RFC 7591 gives it.`;
    return { error, sentence };
  }
  const { redirect_uris, client_name, grant_types, response_types } = read.data;
  for (const address of redirect_uris) {
    const refusal = refuseRedirect(address);
    if (refusal !== null)
      return { error: 'invalid_redirect_uri', sentence: `An address is refused: ${refusal}.` };
  }
  if (grant_types?.includes('authorization_code') === false || response_types?.includes('code') === false) {
    return {
      error: 'invalid_client_metadata',
      sentence: 'Only the grant type authorization_code with the response type code is served.',
    };
  }
  const [first = ''] = redirect_uris;
  return { name: shownName(client_name ?? '') || placeOf(first), redirect_uris };
}

/**
 * The name in one line, without characters that steer a terminal, turn the direction of the text or show nothing, and with two
 * marks above or below a letter at most: more would cover the lines around it.
 */
function shownName(text: string): string {
  const line = text
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]+/gu, ' ')
    .replaceAll(/(\p{M}{2})\p{M}+/gu, '$1')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return Array.from(line).slice(0, MAX_NAME_CHARACTERS).join('').trim();
}
