/** The signed-in reader of a page: the holder of the token used for sign-in. */
import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { redirectWithin } from '../http/header-values.ts';
import { CrossfootError } from '../../errors.ts';
import type { TokenHolder } from '../../ledger/tokens.ts';
import { acceptHolder, type ServeEnv, unanswered } from '../auth/authenticate.ts';
import type { EndedSessions } from './ended-sessions.ts';
import { ownAddress, REQUESTED, requestedAddress, signInAddress } from '../auth/requested-address.ts';
import { isLedFromElsewhere, leadOn } from './from-elsewhere.ts';
import { FORM_TOKEN } from './page-frame.ts';
import { formTokenOf, type Session, sessionIdOf, type Sessions } from './sessions.ts';
import { signInPage } from './sign-in-page.ts';
import { atTop, rootOf } from './site-layout.ts';
import { type Instant, SECOND } from '../../instant.ts';

/** A working day; the session ends earlier if the token does. */
const SESSION_SECONDS = 12 * 60 * 60;
const COOKIE = 'crossfoot';

export interface SignInParts {
  readonly sessions: Sessions;
  readonly endedSessions: EndedSessions;
  /** The holder of the token with this SHA-256; null if the token is unknown or no longer valid. */
  readonly findHolder: (sha256: Uint8Array) => Promise<TokenHolder | null>;
  /** The public address, ending in /v1. */
  readonly baseUrl: () => string;
  readonly now: () => Instant;
}

/** Sets the cookie of a new session. */
export function keepSession(c: Context, token_sha256: Uint8Array, parts: SignInParts): void {
  const expires_at = parts.now() + BigInt(SESSION_SECONDS) * SECOND;
  const sealed = parts.sessions.seal({ token_sha256, expires_at });
  setCookie(c, COOKIE, sealed, { ...attributesAt(parts.baseUrl()), maxAge: SESSION_SECONDS });
}

/** Ends the session at every server and deletes the cookie. Throws, and keeps the cookie, if the session could not be ended. */
export async function endSession(c: Context, parts: SignInParts): Promise<void> {
  const session = sessionOf(c, parts);
  if (session !== null) {
    await parts.endedSessions.end(sessionIdOf(session)).catch((cause: unknown) => {
      throw new CrossfootError('token_unchecked', 'The session could not be ended.', { cause });
    });
  }
  deleteCookie(c, COOKIE, attributesAt(parts.baseUrl()));
}

/** The form token of this session; null without a session. */
export function formTokenFor(c: Context, parts: SignInParts): string | null {
  const cookie = cookieOf(c, parts.baseUrl());
  return cookie === undefined ? null : formTokenOf(cookie);
}

/** Throws unless the form holds the token of its session: another site cannot know it. */
export function requireFormToken(c: Context, form: URLSearchParams, parts: SignInParts): void {
  const wanted = formTokenFor(c, parts);
  if (wanted !== null && !isSame(form.get(FORM_TOKEN) ?? '', wanted)) {
    throw new CrossfootError('form_refused', 'This form belongs to another session; load the page again.');
  }
}

/** Lets only signed-in browsers pass; redirects others to the sign-in page, which leads back to the requested address. */
export function requireSession(parts: SignInParts) {
  return createMiddleware<ServeEnv>(async (c, next) => {
    if (!(await acceptSession(c, parts))) {
      const root = rootOf(c.req.path);
      const address = signInAddress(c, atTop(root));
      return isLedFromElsewhere(c) ? await leadOn(c, address, root) : redirectWithin(c, address, 303);
    }
    await next();
    return undefined;
  });
}

/** Shows the sign-in form in place of the page at the top; once signed in, leads to the address that the form carries. */
export function offerSignIn(parts: SignInParts) {
  return createMiddleware<ServeEnv>(async (c, next) => {
    const sent = c.req.query(REQUESTED);
    const requested = sent === undefined ? requestedAddress(c) : ownAddress(sent);
    if (!(await acceptSession(c, parts))) {
      // An address with `to` is where a page led on: the form ends it, so that no browser goes in a circle.
      if (sent === undefined && isLedFromElsewhere(c)) {
        return await leadOn(c, `./?${REQUESTED}=${encodeURIComponent(requested ?? '')}`, '');
      }
      return c.html(await signInPage(null, requested));
    }
    // The reader has signed in meanwhile, for example in another tab.
    if (sent !== undefined) return redirectWithin(c, `./${requested ?? ''}`, 303);
    await next();
    return undefined;
  });
}

/**
 * Whether the request has a valid session. If so, the holder is logged and the request is counted for the holder's
 * token.
 */
async function acceptSession(c: Context<ServeEnv>, parts: SignInParts): Promise<boolean> {
  const session = sessionOf(c, parts);
  if (session === null) return false;
  const [holder, ended] = await Promise.all([lookUp(parts, session.token_sha256), hasEnded(parts, session)]);
  if (holder === null || ended) return false;
  acceptHolder(c, holder);
  return true;
}

/** The session of the request; null if it has expired or was signed out. */
function sessionOf(c: Context, parts: SignInParts): Session | null {
  const cookie = cookieOf(c, parts.baseUrl());
  const session = cookie === undefined ? null : parts.sessions.open(cookie);
  return session === null || session.expires_at <= parts.now() ? null : session;
}

async function hasEnded({ endedSessions }: SignInParts, session: Session): Promise<boolean> {
  return await endedSessions.has(sessionIdOf(session)).catch((cause: unknown) => {
    throw new CrossfootError('token_unchecked', 'The session could not be looked up.', { cause });
  });
}

/** Looks the holder up. A failed look-up throws: it says nothing about the token. */
export async function lookUp({ findHolder }: SignInParts, sha256: Uint8Array): Promise<TokenHolder | null> {
  return await findHolder(sha256).catch(unanswered);
}

function cookieOf(c: Context, baseUrl: string): string | undefined {
  return isSecure(baseUrl) ? getCookie(c, COOKIE, 'host') : getCookie(c, COOKIE);
}

// With the `__Host-` prefix a browser accepts the cookie from this exact host over https only: no other host can set it.
function attributesAt(baseUrl: string) {
  const secure = isSecure(baseUrl);
  const attributes = { httpOnly: true, sameSite: 'Strict', path: '/', secure } as const;
  return secure ? ({ ...attributes, prefix: 'host' } as const) : attributes;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
