/** Where a request names a token, and how it is read out of an Authorization header. */

/** The page whose form names a token, where no header does. */
export const SIGN_IN_PATH = '/sign-in';

// RFC 6750 section 2.1: one token68 and nothing else, so "Bearer a, Bearer b" is no token.
const BEARER = /^bearer +([\w.~+/-]+=*) *$/i;
// RFC 7617; some clients omit the padding.
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * The token of a Bearer header, or the password of a Basic header: all text after the *first* colon, because a user name
 * cannot contain a colon and a password can. Null without a token.
 */
export function readToken(authorization: string | undefined): string | null {
  const bearer = BEARER.exec(authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const basic = BASIC.exec(authorization ?? '')?.[1];
  if (basic === undefined) return null;
  const pair = Buffer.from(basic, 'base64').toString('latin1'); // a token is ASCII; other passwords match none
  const colon = pair.indexOf(':');
  return colon === -1 ? null : pair.slice(colon + 1);
}
