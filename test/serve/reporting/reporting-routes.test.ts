import { describe, expect, it } from 'vitest';
import { bearer, bytesOf, EARLIER, EXPIRED, fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { refusal } from '../http/refusal.ts';

const PATHS = [
  '/v1/reporting/latest',
  '/v1/reporting/latest/costs.parquet',
  `/v1/reporting/snapshots/${LATEST}`,
  `/v1/reporting/snapshots/${LATEST}/costs.parquet`,
  '/v1/reporting/snapshots',
];

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

  it('A-27: takes its addresses from the settings, not from the request', async () => {
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

  it('must be revalidated by every cache, because expiry and the newest snapshot change', async () => {
    const { app } = fakeApp();
    for (const path of ['/v1/reporting/latest', `/v1/reporting/snapshots/${LATEST}`]) {
      const response = await app.request(path, bearer(TOKENS.personal));
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('vary')).toBe('Authorization, Accept-Encoding');
    }
  });
});

/** A line of the list: its two files are of different lengths. */
function listed(snapshot_id: string) {
  return {
    snapshot_id,
    generated_at: '2026-11-20T02:00:00.123456Z',
    schema_version: 'v1',
    // Two files: "PAR1 7 <id> snapshot PAR1" and the same with "costs".
    size_bytes: bytesOf(7n, snapshot_id, 'snapshot').length + bytesOf(7n, snapshot_id, 'costs').length,
    expires_at: null,
    pins: [],
    retraction: null,
    quarantine: null,
    url: `https://api.example.com/v1/reporting/snapshots/${snapshot_id}`,
  };
}

describe('the list', () => {
  it('holds what may be read, newest first, each with the address of its manifest', async () => {
    const { app } = fakeApp();
    const response = await app.request('/v1/reporting/snapshots', bearer(TOKENS.personal));
    expect(await response.json()).toEqual({ data: [listed(LATEST), listed(EARLIER)] });
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toBe('Authorization');
  });

  it('is empty before the first snapshot', async () => {
    const response = await fakeApp().app.request('/v1/reporting/snapshots', bearer(TOKENS.unbuilt));
    expect(await response.json()).toEqual({ data: [] });
  });
});

async function contentLocation(path: string, baseUrl: string): Promise<string | null> {
  const response = await fakeApp({ baseUrl: () => baseUrl }).app.request(path, bearer(TOKENS.personal));
  return response.headers.get('content-location');
}

describe('a repeated request', () => {
  it.each(['/v1/reporting/schema.json', ...PATHS])('is answered 304 or 412 by its tag: %s', async (path) => {
    const { app, snapshots } = fakeApp();
    const { headers } = bearer(TOKENS.personal);
    const etag = (await app.request(path, { headers })).headers.get('etag') ?? '';
    const opened = snapshots.opened;
    const again = await app.request(path, { headers: { ...headers, 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
    const other = await refusal(path, { headers: { ...headers, 'if-match': '"other"' } }, app);
    expect([other.status, other.message]).toEqual([
      412,
      'The current version is not the one that If-Match names.',
    ]);
    expect(snapshots.opened).toBe(opened);
  });

  it('at the address of latest has the pinned address in Content-Location', async () => {
    const pinned = `/v1/reporting/snapshots/${LATEST}`;
    expect(await contentLocation('/v1/reporting/latest', 'https://x.example/v1')).toBe(pinned);
    expect(await contentLocation('/v1/reporting/latest/costs.parquet', 'https://x.example/api/v1')).toBe(
      `/api${pinned}/costs.parquet`,
    );
    expect(await contentLocation(pinned, 'https://x.example/v1')).toBeNull();
  });
});

describe('a file', () => {
  it.each([
    [
      '/v1/reporting/latest/costs.parquet',
      LATEST,
      {
        'cache-control': 'private, no-cache, no-transform',
        'content-location': `/v1/reporting/snapshots/${LATEST}/costs.parquet`,
      },
    ],
    [
      `/v1/reporting/snapshots/${EARLIER}/costs.parquet`,
      EARLIER,
      {
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=1209600, immutable, no-transform',
      },
    ],
  ])('is served whole from %s', async (path, snapshot_id, ofTheAddress) => {
    const { app } = fakeApp();
    const response = await app.request(path, bearer(TOKENS.personal));
    const bytes = bytesOf(7n, snapshot_id, 'costs');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
    // How many requests are left is another test's.
    const { ratelimit: _, 'ratelimit-policy': __, ...headers } = Object.fromEntries(response.headers);
    expect(headers).toEqual({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(bytes.length),
      'x-snapshot-id': snapshot_id,
      'x-request-id': 'request-1',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'attachment; filename="costs.parquet"',
      'repr-digest': `sha-256=:${digest.toString('base64')}:`,
      vary: 'Authorization',
      etag: `"${digest.toString('hex')}"`,
      ...ofTheAddress,
    });
  });

  it("A-2: is the token's own account's, also where two accounts have a snapshot of the same second", async () => {
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
  it.each(PATHS)('switched off: %s (F-47)', async (path) => {
    const { status, message } = await refusal(path, bearer(TOKENS.switchedOff));
    expect(status).toBe(404);
    expect(message).toMatch(/^Reporting tables are switched off;/);
  });

  it('first build not complete (F-47)', async () => {
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

  it('no such table, for any spelling other than the published one', async () => {
    for (const name of ['nothing', 'costs_', 'snapshot_id', '__proto__', 'constructor', 'audit']) {
      const { status, message } = await refusal(
        `/v1/reporting/latest/${name}.parquet`,
        bearer(TOKENS.personal),
      );
      expect([status, message]).toEqual([404, 'There is no such reporting table.']);
    }
  });

  it('a table that this snapshot is too old for', async () => {
    const path = `/v1/reporting/snapshots/${EARLIER}/initiatives.parquet`;
    const { status, message } = await refusal(path, bearer(TOKENS.personal));
    expect([status, message]).toEqual([404, 'This snapshot was built before it had this table.']);
  });

  it('no such snapshot: the same bytes for another account’s id, an unknown id and a malformed id', async () => {
    const bodies = new Set<string>();
    for (const id of [EARLIER, '20200101T000000Z', 'yesterday', '%00', '0']) {
      for (const tail of ['', '/costs.parquet']) {
        const { status, message } = await refusal(
          `/v1/reporting/snapshots/${id}${tail}`,
          bearer(TOKENS.other),
        );
        expect(status).toBe(404);
        bodies.add(message);
      }
    }
    expect([...bodies]).toEqual([
      'There is no such snapshot in this account: write its id, latest, or the name of a pin that has not ended.',
    ]);
  });
});
