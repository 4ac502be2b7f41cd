import { describe, expect, it } from 'vitest';
import { tokenDigest } from '../../../src/serve/auth/token.ts';
import {
  bearer,
  bytesOf,
  EXPIRED,
  fakeApp,
  LATEST,
  LINK_GRANTS,
  linkTo,
  NOW,
  TOKENS,
} from '../fake-parts.ts';

const LINKS = `/v1/reporting/snapshots/${LATEST}/links`;
const HOUR = 3_600_000_000n;

interface Links {
  readonly snapshot_id: string;
  readonly expires_at: string;
  readonly links: readonly { readonly name: string; readonly url: string }[];
}

const down = (): Promise<never> => Promise.reject(new Error('down'));

/** What a link of these parts is answered with. */
async function answerOf(path: string, replaced: Parameters<typeof fakeApp>[0] = {}) {
  const { app, snapshots } = fakeApp(replaced);
  const response = await app.request(path);
  return { status: response.status, text: await response.text(), headers: response.headers, snapshots };
}

describe('the links of a snapshot', () => {
  it('are kept by no cache, in a list and in statements', async () => {
    const { app } = fakeApp();
    for (const path of [LINKS, LINKS.replace(/links$/, 'attach.sql')]) {
      const answer = await app.request(path, bearer(TOKENS.reporting));
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, answer.headers.get('cache-control')]).toEqual([path, 'private, no-store']);
      expect(await answer.text()).toContain('/links/');
    }
  });

  it('are one for each table, for an hour, below the public address', async () => {
    const response = await fakeApp().app.request(LINKS, bearer(TOKENS.reporting));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const { snapshot_id, expires_at, links } = (await response.json()) as Links;
    expect({ snapshot_id, expires_at }).toEqual({
      snapshot_id: LATEST,
      expires_at: '2026-11-20T04:00:00.000000Z',
    });
    expect(links.map(({ name }) => name)).toEqual(['snapshot', 'costs']);
    for (const { name, url } of links) {
      const [, grant = ''] =
        /^https:\/\/api\.example\.com\/links\/([\w-]+)\/[a-z_]+\.parquet$/.exec(url) ?? [];
      expect(url.endsWith(`/${name}.parquet`)).toBe(true);
      expect(LINK_GRANTS.open(grant, name)).toEqual({
        account_id: 7n,
        snapshot_id: LATEST,
        table: name,
        token_sha256: tokenDigest(TOKENS.reporting),
        expires_at: NOW + HOUR,
      });
    }
  });

  it('read, without a token, exactly what the table route reads: whole, in ranges, by HEAD', async () => {
    const { app } = fakeApp();
    const table = `/v1/reporting/snapshots/${LATEST}/costs.parquet`;
    const { links } = (await (await app.request(LINKS, bearer(TOKENS.personal))).json()) as Links;
    const url = new URL(links.find(({ name }) => name === 'costs')?.url ?? '').pathname;
    const own = ['cache-control', 'vary', 'referrer-policy', 'x-request-id', 'ratelimit'];
    const seen = async (path: string, init: { method: string; headers: Record<string, string> }) => {
      const response = await app.request(path, init);
      const headers = [...response.headers].filter(([name]) => !own.includes(name));
      return { status: response.status, headers, body: await response.text() };
    };
    const { headers: token } = bearer(TOKENS.personal);
    for (const method of ['GET', 'HEAD']) {
      for (const headers of [
        {},
        { range: 'bytes=2-5' },
        { range: 'bytes=900-' },
        { 'if-match': '"other"' },
      ]) {
        const expected = await seen(table, { method, headers: { ...headers, ...token } });
        expect(await seen(url, { method, headers })).toEqual(expected);
      }
    }
    expect((await seen(url, { method: 'GET', headers: {} })).body).toBe(String(bytesOf(7n, LATEST, 'costs')));
  });

  it('are counted for the token they were made with', async () => {
    const { headers } = await answerOf(linkTo('costs'));
    expect(headers.get('ratelimit-policy')).toContain('"token"');
    expect((await answerOf(linkTo('costs'), { limits: { address: 100, token: 0 } })).status).toBe(429);
  });

  it('A-9: send no referrer to another site, with any status', async () => {
    for (const path of [linkTo('costs'), '/links/x/costs.parquet']) {
      expect((await answerOf(path)).headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect((await answerOf(linkTo('costs'))).headers.get('cache-control')).toBe(
      'private, no-cache, no-transform',
    );
  });
});

describe('a link', () => {
  it.each([
    ['that was never made', '/links/x/costs.parquet', 404, 'There is no such link.'],
    ['of another table', linkTo('costs').replace('costs', 'snapshot'), 404, 'There is no such link.'],
    ['with a parameter', `${linkTo('costs')}?part=1`, 400, 'does not accept the parameter'],
    ['whose hour is over', linkTo('costs', { expires_at: NOW }), 410, 'This link has expired'],
    [
      'of a token that was revoked',
      linkTo('costs', { token_sha256: tokenDigest(TOKENS.unknown) }),
      410,
      'The token that this link was made with is no longer valid.',
    ],
    [
      'of a token of another account',
      linkTo('costs', { token_sha256: tokenDigest(TOKENS.other) }),
      410,
      'The token that this link was made with is no longer valid.',
    ],
    [
      'of an account whose plan has lost its API access',
      linkTo('costs', { token_sha256: tokenDigest(TOKENS.withoutApi) }),
      403,
      'does not include API access',
    ],
    [
      'of an account whose reporting was switched off',
      linkTo('costs', { token_sha256: tokenDigest(TOKENS.switchedOff) }),
      404,
      'Reporting tables are switched off',
    ],
    ['of a snapshot that was kept long enough', linkTo('costs', { snapshot_id: EXPIRED }), 404, 'expired on'],
    ['of a table the snapshot does not have', linkTo('budgets'), 404, 'built before it had this table'],
  ])('%s reads nothing, and says why', async (_, path, status, sentence) => {
    const answer = await answerOf(path);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(sentence);
    expect(answer.snapshots.opened).toBe(0);
  });

  it('is not answered while its token cannot be looked up', async () => {
    expect((await answerOf(linkTo('costs'), { findHolder: down })).status).toBe(503);
  });

  it('A-9: is never in the log, whole or in part', async () => {
    const { app, lines } = fakeApp();
    const made = await (await app.request(LINKS, bearer(TOKENS.personal))).text();
    const grants = [
      ...made.matchAll(/links\/([\w-]+)\//g),
      ...linkTo('costs').matchAll(/links\/([\w-]+)\//g),
    ];
    expect(grants).toHaveLength(3);
    for (const [, grant = ''] of grants) {
      for (const tail of ['costs.parquet', 'snapshot.parquet', 'other.parquet', 'x', '']) {
        await app.request(`/links/${grant}/${tail}`);
      }
      for (const piece of [grant.slice(0, 20), grant.slice(-20)]) expect(lines.join('')).not.toContain(piece);
    }
    expect(lines.some((line) => line.includes('"route":"/links/:grant/:table{[a-z_]+\\\\.parquet}"'))).toBe(
      true,
    );
  });
});

describe('the programs that pull', () => {
  it.each(['/pull.mjs', '/pull.py'])(
    'are served without a token, with 304 for a current copy: %s',
    async (path) => {
      const { app } = fakeApp();
      const response = await app.request(path);
      expect(response.status).toBe(200);
      expect(await response.text()).toMatch(/^(\/\/|#) /);
      const etag = response.headers.get('etag') ?? '';
      expect((await app.request(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
      expect((await app.request(path, { method: 'POST' })).status).toBe(405);
    },
  );
});
