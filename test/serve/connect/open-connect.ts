/** An application with the sign-in of assistants over a ledger of two accounts, and the steps of a client. */
import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { asAccount } from '../../../src/ledger/account-session.ts';
import { findTokenHolder, insertToken } from '../../../src/ledger/tokens.ts';
import { openSignIn } from '../../../src/run/server/assistant-sign-in.ts';
import type { AppParts } from '../../../src/serve/app.ts';
import type { AssistantSignIn } from '../../../src/serve/connect/sign-in-parts.ts';
import { makeToken, tokenDigest, type TokenKind, tokenMarks } from '../../../src/serve/auth/token.ts';
import { createRateLimiter } from '../../../src/serve/limits/rate-limiter.ts';
import type { Login } from '../../support/cluster.ts';
import { createDatabase } from '../../support/database.ts';
import { fakeApp } from '../fake-parts.ts';
import { formTokenIn, openBrowser } from '../pages/browser.ts';

export const ORIGIN = 'https://api.example.com';
export const CALLBACK = 'https://client.example/callback';
export const KEYS = ['a key for tests, 32 characters and more'] as const;

type App = ReturnType<typeof fakeApp>['app'];
export type Tokens = Readonly<Record<'access_token' | 'refresh_token', string>>;

/** The ledger: Ada is admin of account 1 and of account 2, Bo owns account 1. */
export async function openConnect() {
  const database = await createDatabase();
  const owner = await database.client('cf_owner');
  await owner.query(`
    insert into ledger.accounts (id, name, plan, plan_includes_api, app_url) values
      (1, 'One & Co', 'team', true, 'https://one.example'), (2, 'Two', 'team', true, 'https://two.example');
    insert into ledger.users (id, name) values (1, 'Ada'), (2, 'Bo');
    insert into ledger.memberships (account_id, user_id, role) values
      (1, 1, 'admin'), (1, 2, 'owner'), (2, 1, 'admin')`);
  const [reader, service] = [database.pool('cf_reader'), database.pool('cf_service')];
  let now_ms = 0;
  const find: AppParts['findHolder'] = (sha256) => findTokenHolder(reader, sha256);
  /** A server of this ledger; several stand behind one origin. */
  const open = (
    replaced: Partial<AppParts> = {},
    {
      keys = KEYS,
      baseUrl = `${ORIGIN}/v1`,
      readDocument,
    }: {
      keys?: readonly [string, ...string[]];
      baseUrl?: string;
      readDocument?: AssistantSignIn['readDocument'];
    } = {},
  ) => {
    const { signIn, authenticateClient } = openSignIn(
      { assistantSignIn: true },
      { keys, service, baseUrl: () => baseUrl },
    );
    return fakeApp({
      baseUrl: () => baseUrl,
      // Each request is in a minute of its own.
      rateLimiter: createRateLimiter(() => (now_ms += 60_000)),
      authenticate: (token) => find(tokenDigest(token)),
      findHolder: find,
      inAccount: (session, run) => asAccount(reader, session, run),
      readToday: async () => '2026-11-27',
      signIn: signIn === null || readDocument === undefined ? signIn : { ...signIn, readDocument },
      authenticateClient,
      ...replaced,
    });
  };
  return {
    owner,
    url: (role: Login) => database.url(role),
    open,
    issue: (account_id = 1n, kind: TokenKind = 'personal', user = 1n) =>
      issue(owner, { account_id, kind, user }),
    close: () => database.drop(),
  };
}

async function issue(
  owner: Client,
  { account_id, kind, user }: { account_id: bigint; kind: TokenKind; user: bigint },
) {
  const token = makeToken(kind, randomBytes(32));
  const id = await insertToken(owner, {
    account_id,
    kind,
    name: 'test',
    issued_by_id: user,
    ...tokenMarks(token),
  });
  return { id, token };
}

export const VERIFIER = randomBytes(32).toString('base64url');

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Registers a client and returns its id. */
export async function register(app: App, redirect_uris: readonly string[] = [CALLBACK]): Promise<string> {
  const response = await postJson(app, { client_name: 'Helper', redirect_uris });
  return ((await response.json()) as { client_id: string }).client_id;
}

export async function postJson(app: App, body: unknown): Promise<Response> {
  return await app.request('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The address of the page of consent; `changed` replaces or, with null, leaves out parameters. */
export function authorizePath(
  client_id: string,
  changed: Readonly<Record<string, string | null>> = {},
): string {
  const asked = {
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    resource: `${ORIGIN}/mcp`,
    state: 'the state',
    ...changed,
  };
  const sent = Object.entries(asked).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  );
  return `/authorize?${new URLSearchParams(sent).toString()}`;
}

export function fieldIn(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  return value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}

/** Signs in and answers the page of consent; returns the answer's response and the address that it leads to. */
export async function answerConsent(
  app: App,
  token: string,
  path: string,
  answer = 'allow',
  origin = ORIGIN,
): Promise<{ readonly response: Response; readonly to: URL | null }> {
  const browser = openBrowser(app);
  await browser.post('/sign-in', { token }, { origin });
  const page = await browser.page(path);
  const fields = { form_token: formTokenIn(page), request: fieldIn(page, 'request'), answer };
  const response = await browser.post('/authorize', fields, { origin });
  const refresh = response.headers.get('refresh');
  return { response, to: refresh === null ? null : new URL(refresh.replace(/^0;url=/, '')) };
}

/** What a client's library uses in place of `fetch`: its requests go into the application. */
export function fetchInto(app: App) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    request.headers.set('host', 'api.example.com');
    return await app.request(request);
  };
}

export async function postForm(
  app: App,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  return await app.request(path, { method: 'POST', body: new URLSearchParams(fields) });
}

/** What a client sends to redeem a code. */
export function redemption(client_id: string, code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    resource: `${ORIGIN}/mcp`,
  };
}

/** A connected client: all steps, as a client that does everything right takes them. */
export async function connect(
  app: App,
  token: string,
  { origin, resource } = { origin: ORIGIN, resource: `${ORIGIN}/mcp` },
): Promise<{ readonly client_id: string } & Tokens> {
  const client_id = await register(app);
  const { to } = await answerConsent(app, token, authorizePath(client_id, { resource }), 'allow', origin);
  const sent = { ...redemption(client_id, to?.searchParams.get('code') ?? ''), resource };
  const response = await postForm(app, '/token', sent);
  return { client_id, ...((await response.json()) as Tokens) };
}

export async function renew(app: App, client_id: string, refresh_token: string): Promise<Response> {
  return await postForm(app, '/token', { grant_type: 'refresh_token', client_id, refresh_token });
}

/** The status of a question to the assistant. */
export async function ask(app: App, token: string): Promise<number> {
  const response = await app.request('/mcp', {
    method: 'POST',
    headers: {
      host: 'localhost',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await response.text();
  return response.status;
}
