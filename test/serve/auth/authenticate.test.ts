import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { bearer, fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { exchange, parseAnswer } from '../http/raw-http.ts';
import { refusal } from '../http/refusal.ts';

const PATHS = [
  '/v1/reporting/latest',
  '/v1/reporting/latest/costs.parquet',
  '/v1/reporting/snapshots',
  `/v1/reporting/snapshots/${LATEST}`,
  `/v1/reporting/snapshots/${LATEST}/costs.parquet`,
];

function basic(pair: string, scheme = 'Basic'): string {
  return `${scheme} ${Buffer.from(pair, 'latin1').toString('base64')}`;
}

function padded(token: string, length: number): string {
  return basic(`${'u'.repeat(length)}:${token}`);
}

/** What a request may carry, and what it gets wherever a token is needed. */
const CALLERS: readonly (readonly [who: string, authorization: string | undefined, status: number])[] = [
  ['nobody', undefined, 401],
  ['an empty header', '', 401],
  ['a token without a scheme', TOKENS.personal, 401],
  ['another scheme', `Token ${TOKENS.personal}`, 401],
  ['a word', 'Bearer wrong', 401],
  ['an unknown token', `Bearer ${TOKENS.unknown}`, 401],
  ['a token and a letter more', `Bearer ${TOKENS.personal}x`, 401],
  ['a mistyped token', `Bearer ${TOKENS.personal.slice(0, -1)}!`, 401],
  ['two tokens in a header', `Bearer ${TOKENS.personal}, Bearer ${TOKENS.personal}`, 401],
  ['a personal token', `Bearer ${TOKENS.personal}`, 200],
  ['a personal token, in another case of the scheme', `bEARER ${TOKENS.personal}`, 200],
  ['a reporting token', `Bearer ${TOKENS.reporting}`, 200],
  ['a password', basic(`any:${TOKENS.personal}`), 200],
  ['a reporting token as password', basic(`warehouse@example.com:${TOKENS.reporting}`), 200],
  ['a password without a user', basic(`:${TOKENS.personal}`), 200],
  ['a password of a user in latin-1', basic(`j\xfcrgen:${TOKENS.personal}`), 200],
  ['a password of a user of 4 kB', padded(TOKENS.personal, 4096), 200],
  ['a password, in another case of the scheme', basic(`any:${TOKENS.personal}`, 'bASIC'), 200],
  ['a wrong password', basic('any:wrong'), 401],
  ['a token as user name', basic(`${TOKENS.personal}:`), 401],
  ['a password after a second colon', basic(`any:more:${TOKENS.personal}`), 401],
  ['a password and a colon', basic(`any:${TOKENS.personal}:`), 401],
  ['a token without a colon', basic(TOKENS.personal), 401],
  ['a token that is not encoded', `Basic any:${TOKENS.personal}`, 401],
  ['no base64', 'Basic !!!!', 401],
  ['an empty password', basic('any:'), 401],
  ['a password in latin-1', basic(`any:\xfc${TOKENS.personal}`), 401],
  ['no credentials', 'Basic', 401],
  ['a plan without API access', `Bearer ${TOKENS.withoutApi}`, 403],
  ['a plan without API access, by password', basic(`any:${TOKENS.withoutApi}`), 403],
];

describe.each(PATHS)('the route %s', (path) => {
  it.each(CALLERS.filter(([, , status]) => status === 200))('lets %s read', async (_, authorization = '') => {
    const response = await fakeApp().app.request(path, { headers: { authorization } });
    expect(response.status).toBe(200);
    expect(response.headers.get('www-authenticate')).toBeNull();
    // No cache gives the answer to another token.
    expect((response.headers.get('vary') ?? '').split(', ')).toContain('Authorization');
  });

  it.each(CALLERS.filter(([, , status]) => status !== 200))(
    'refuses %s with the challenges where a token helps, and opens nothing',
    async (_, authorization, expected) => {
      const { app, snapshots } = fakeApp();
      const headers = authorization === undefined ? {} : { authorization };
      const { response, status } = await refusal(path, { headers }, app);
      expect(status).toBe(expected);
      const challenges = 'Bearer realm="crossfoot", Basic realm="crossfoot", charset="UTF-8"';
      expect(response.headers.get('www-authenticate')).toBe(expected === 401 ? challenges : null);
      expect(snapshots.opened).toBe(0);
    },
  );

  it('A-13: says 403 only after a valid token, and why', async () => {
    const { message } = await refusal(path, bearer(TOKENS.withoutApi));
    expect(message).toBe("The account's plan does not include API access.");
  });

  it('answers HEAD with the same status', async () => {
    const { app } = fakeApp();
    for (const [, authorization, status] of CALLERS) {
      const headers = authorization === undefined ? {} : { authorization };
      expect((await app.request(path, { method: 'HEAD', headers })).status).toBe(status);
    }
  });

  it('has the same refusal for every invalid token', async () => {
    const messages = new Set<string>();
    for (const authorization of [`Bearer ${TOKENS.unknown}`, 'Bearer wrong', basic('any:wrong')]) {
      messages.add((await refusal(path, { headers: { authorization } })).message);
    }
    expect([...messages]).toEqual(['The access token is unknown, expired or no longer valid.']);
  });
});

describe('A-15: two Authorization headers', () => {
  let server: Listener;
  beforeAll(async () => {
    const logger = createLogger('silent');
    server = await listen(fakeApp().app.fetch, { host: '127.0.0.1', port: 0, logger });
  });
  afterAll(() => server.close(0));

  it.each(PATHS)('are refused, although both are good: %s', async (path) => {
    const line = `Authorization: Bearer ${TOKENS.personal}\r\n`;
    for (const [lines, expected] of [
      [line, 200],
      [line + line, 400],
      [`${line}AUTHORIZATION: Bearer wrong\r\n`, 400],
    ] as const) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`;
      expect(parseAnswer(await exchange(server.port, request)).status).toBe(expected);
    }
  });
});

describe('a look-up', () => {
  it('is not made of what cannot be a token', async () => {
    const asked: string[] = [];
    const { app } = fakeApp({
      authenticate: async (token) => {
        asked.push(token);
        return null;
      },
    });
    await app.request('/v1/reporting/latest', bearer('cf_pat_mistyped'));
    await app.request('/v1/reporting/latest', bearer(TOKENS.personal));
    expect(asked).toEqual([TOKENS.personal]);
  });

  it('A-12: that fails answers 503, never 200 or 401', async () => {
    const { app, lines } = fakeApp({
      authenticate: async () => {
        throw new Error('connection refused');
      },
    });
    const { response, status, message } = await refusal('/v1/reporting/latest', bearer(TOKENS.personal), app);
    expect(status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('10');
    expect(message).not.toContain('connection');
    expect(lines.join('')).toContain('"error":"CrossfootError token_unchecked < Error"');
  });

  it('comes before the parameters', async () => {
    expect((await refusal('/v1/reporting/latest?x=1')).status).toBe(401);
  });
});
