import { describe, expect, it } from 'vitest';
import { bearer, bytesOf, EARLIER, EXPIRED, fakeApp, LATEST, TOKENS } from './fake-parts.ts';

const PATHS = [
  '/v1/reporting/latest',
  '/v1/reporting/latest/costs.parquet',
  `/v1/reporting/snapshots/${LATEST}`,
  `/v1/reporting/snapshots/${LATEST}/costs.parquet`,
];

async function refusal(path: string, init: RequestInit = {}, app = fakeApp().app) {
  const response = await app.request(path, init);
  const body = (await response.json()) as { error: { status: number; message: string } };
  expect(body.error.status).toBe(response.status);
  return { response, status: response.status, message: body.error.message };
}

describe('who may read', () => {
  it.each(PATHS)('refuses %s without a valid token, with both challenges', async (path) => {
    const basic = `Basic ${Buffer.from('any:wrong').toString('base64')}`;
    const headers = [
      undefined,
      'Bearer wrong',
      `Bearer ${TOKENS.unknown}`,
      basic,
      `Bearer ${TOKENS.personal}x`,
    ];
    for (const authorization of headers) {
      const { response, status } = await refusal(
        path,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect(status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(
        'Bearer realm="crossfoot", Basic realm="crossfoot", charset="UTF-8"',
      );
    }
  });

  it.each(PATHS)('lets a personal and a reporting token read %s, as bearer and as password', async (path) => {
    const { app } = fakeApp();
    for (const token of [TOKENS.personal, TOKENS.reporting]) {
      const basic = `Basic ${Buffer.from(`anyone:${token}`).toString('base64')}`;
      for (const authorization of [`Bearer ${token}`, basic]) {
        expect((await app.request(path, { headers: { authorization } })).status).toBe(200);
      }
    }
  });

  it('does not look up what cannot be a token', async () => {
    const asked: string[] = [];
    const { app } = fakeApp({
      authenticate: async (token) => {
        asked.push(token);
        return null;
      },
    });
    await app.request(PATHS[0] ?? '', bearer('cf_pat_mistyped'));
    await app.request(PATHS[0] ?? '', bearer(TOKENS.personal));
    expect(asked).toEqual([TOKENS.personal]);
  });

  it.each(PATHS)('says 403 on %s of a plan without API access, only after a valid token', async (path) => {
    const { status, message } = await refusal(path, bearer(TOKENS.withoutApi));
    expect(status).toBe(403);
    expect(message).toBe("The account's plan does not include API access.");
  });

  it('says 503 when the token cannot be looked up, never 200 or 401', async () => {
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

  it('looks at the token before the parameters', async () => {
    expect((await refusal('/v1/reporting/latest?x=1')).status).toBe(401);
  });
});

describe('the manifest', () => {
  it('of the newest snapshot names each file by an address pinned to that snapshot', async () => {
    const { app } = fakeApp();
    const response = await app.request('/v1/reporting/latest', bearer(TOKENS.personal));
    expect(await response.json()).toMatchObject({
      snapshot_id: LATEST,
      schema_version: 'v1',
      generated_at: '2026-11-20T02:00:00.123456Z',
      tables: [
        { name: 'snapshot' },
        {
          name: 'costs',
          row_count: 1,
          size_bytes: bytesOf(7n, LATEST, 'costs').length,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          url: `https://api.example.com/v1/reporting/snapshots/${LATEST}/costs.parquet`,
        },
      ],
    });
    expect(response.headers.get('x-snapshot-id')).toBe(LATEST);
  });

  it('takes its addresses from the settings, whatever the request claims', async () => {
    const { app } = fakeApp();
    const { headers } = bearer(TOKENS.personal);
    const response = await app.request('http://evil.example/v1/reporting/latest', {
      headers: { ...headers, host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    expect(await response.text()).not.toContain('evil');
  });

  it('of an earlier snapshot is that of the one asked for', async () => {
    const { app } = fakeApp();
    const response = await app.request(`/v1/reporting/snapshots/${EARLIER}`, bearer(TOKENS.personal));
    expect(await response.json()).toMatchObject({ snapshot_id: EARLIER });
    expect(response.headers.get('x-snapshot-id')).toBe(EARLIER);
  });

  it('is kept by nobody without asking, because expiry and the newest change', async () => {
    const { app } = fakeApp();
    for (const path of ['/v1/reporting/latest', `/v1/reporting/snapshots/${LATEST}`]) {
      const response = await app.request(path, bearer(TOKENS.personal));
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('vary')).toBe('Authorization');
    }
  });
});

describe('a file', () => {
  it.each([
    ['/v1/reporting/latest/costs.parquet', LATEST, 'private, no-cache'],
    [`/v1/reporting/snapshots/${EARLIER}/costs.parquet`, EARLIER, 'private, max-age=1209600, immutable'],
  ])('is served whole from %s', async (path, snapshot_id, cache) => {
    const { app } = fakeApp();
    const response = await app.request(path, bearer(TOKENS.personal));
    const bytes = bytesOf(7n, snapshot_id, 'costs');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(bytes.length),
      'x-snapshot-id': snapshot_id,
      'x-request-id': 'request-1',
      'x-content-type-options': 'nosniff',
      'cache-control': cache,
      vary: 'Authorization',
      etag: `"${digest}"`,
    });
  });

  it("is the token's own account's, also where two accounts have a snapshot of the same second", async () => {
    const { app } = fakeApp();
    const path = `/v1/reporting/snapshots/${LATEST}/costs.parquet`;
    const theirs = await app.request(path, bearer(TOKENS.other));
    expect(Buffer.from(await theirs.arrayBuffer())).toEqual(bytesOf(8n, LATEST, 'costs'));
  });

  it('is not opened for HEAD', async () => {
    const { app, snapshots } = fakeApp();
    const response = await app.request('/v1/reporting/latest/costs.parquet', {
      method: 'HEAD',
      ...bearer(TOKENS.personal),
    });
    expect(response.status).toBe(200);
    expect(snapshots.opened).toBe(0);
  });
});

describe('a 404 says which cause applies', () => {
  it.each(PATHS)('switched off: %s', async (path) => {
    const { status, message } = await refusal(path, bearer(TOKENS.switchedOff));
    expect(status).toBe(404);
    expect(message).toMatch(/^Reporting tables are switched off;/);
  });

  it('first build not complete', async () => {
    for (const path of ['/v1/reporting/latest', '/v1/reporting/latest/costs.parquet']) {
      const { status, message } = await refusal(path, bearer(TOKENS.unbuilt));
      expect(status).toBe(404);
      expect(message).toBe('The first snapshot of this account is not complete yet.');
    }
  });

  it('expired, with the day', async () => {
    const { status, message } = await refusal(`/v1/reporting/snapshots/${EXPIRED}`, bearer(TOKENS.personal));
    expect(status).toBe(404);
    expect(message).toBe('Snapshots are kept for 14 days; this one expired on 2026-11-15.');
  });

  it('no such table, in any spelling but the published one', async () => {
    for (const name of ['nothing', 'costs_', 'snapshot_id', '__proto__', 'constructor', 'ai_spend']) {
      const { status, message } = await refusal(
        `/v1/reporting/latest/${name}.parquet`,
        bearer(TOKENS.personal),
      );
      expect([status, message]).toEqual([404, 'There is no such reporting table.']);
    }
  });

  it('no such snapshot: the same bytes for a foreign id, an unknown one and a malformed one', async () => {
    const bodies = new Set<string>();
    for (const id of [EARLIER, '20200101T000000Z', 'yesterday', '%00', '0', 'latest']) {
      for (const tail of ['', '/costs.parquet']) {
        const { status, message } = await refusal(
          `/v1/reporting/snapshots/${id}${tail}`,
          bearer(TOKENS.other),
        );
        expect(status).toBe(404);
        bodies.add(message);
      }
    }
    expect([...bodies]).toEqual(['There is no such snapshot in this account.']);
  });
});

describe('a path that tries to leave its place', () => {
  it.each(
    [
      '..%2fcosts',
      '%2e%2e%2fcosts',
      '..%5ccosts',
      'costs%00',
      'costs.parquet',
      'COSTS',
      'costs%2eparquet',
      '%63osts%2fx',
      'costs%252e',
      ' costs',
    ].flatMap((name) => [
      `/v1/reporting/latest/${name}.parquet`,
      `/v1/reporting/snapshots/${LATEST}/${name}.parquet`,
    ]),
  )('opens nothing: %s', async (path) => {
    const { app, snapshots } = fakeApp();
    const response = await app.request(path, bearer(TOKENS.personal));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { status: 404 } });
    expect(snapshots.opened).toBe(0);
  });
});
