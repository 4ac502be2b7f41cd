import { describe, expect, it } from 'vitest';
import { fakeApp } from '../fake-parts.ts';
import { faultsOf } from './contract-check.ts';
import { heldToContract } from './held-to-contract.ts';

const PATH = '/v1/reporting/snapshots';
const LISTED = {
  snapshot_id: '20261120T020000Z',
  generated_at: '2026-11-20T02:00:00.123456Z',
  schema_version: 'v1',
  size_bytes: 68,
  expires_at: null,
  pins: [],
  retraction: null,
  quarantine: null,
  url: 'https://api.example.com/v1/reporting/snapshots/20261120T020000Z',
};
const HEADERS = {
  'content-type': 'application/json',
  etag: '"a"',
  'x-request-id': 'a',
  ratelimit: 'a',
  'ratelimit-policy': 'a',
};

function answer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, ...headers } });
}

const list = (changed: object) => answer({ data: [{ ...LISTED, ...changed }] });

describe('an answer', () => {
  it('is right as the contract has it', async () => {
    expect(await faultsOf('GET', PATH, list({}))).toEqual([]);
  });

  it.each([
    ['a field too many', list({ nonce: 'a' }), 'data.0: Unrecognized key: "nonce"'],
    [
      'a field too few',
      list({ url: undefined }),
      'data.0.url: Invalid input: expected string, received undefined',
    ],
    [
      'a null where none may be',
      list({ generated_at: null }),
      'data.0.generated_at: Invalid input: expected string, received null',
    ],
    [
      'a text for a number',
      list({ size_bytes: '68' }),
      'data.0.size_bytes: Invalid input: expected number, received string',
    ],
    [
      'a word that is not on the list',
      list({ schema_version: 'v2' }),
      'data.0.schema_version: Invalid input: expected "v1"',
    ],
    [
      'another type of content',
      answer({ data: [] }, 200, { 'content-type': 'text/html' }),
      'is of type text/html',
    ],
    [
      'a status without promise',
      answer({ data: [] }, 201),
      'is 201, which /reporting/snapshots does not promise',
    ],
  ])('is wrong with %s', async (_, response, fault) => {
    expect(await faultsOf('GET', PATH, response)).toEqual([fault]);
  });

  it('is wrong without a header that is promised, of one route or of all', async () => {
    const bare = new Response('{"data":[]}', { headers: { 'content-type': 'application/json' } });
    expect(await faultsOf('GET', PATH, bare)).toEqual(
      ['etag', 'x-request-id', 'ratelimit', 'ratelimit-policy'].map((name) => `has no header ${name}`),
    );
    const latest = await faultsOf('HEAD', '/v1/reporting/latest', list({}));
    expect(latest).toEqual(['has no header x-snapshot-id', 'has no header content-location']);
  });

  it('that refuses is wrong in any shape but one, also where there is no route', async () => {
    for (const path of [PATH, '/v1/nothing', '/healthz']) {
      const faults = await faultsOf(
        'GET',
        path,
        answer({ error: { status: 404, message: 'No.', code: 1 } }, 404),
      );
      expect(faults).toEqual(['error: Unrecognized key: "code"']);
    }
  });
});

describe('an application held to its contract', () => {
  it('throws for an answer that breaks the contract, and passes a correct one', async () => {
    const { app } = fakeApp();
    app.fetch = () => list({ nonce: 'a' });
    await expect(heldToContract(app).request(PATH)).rejects.toThrow('Unrecognized key: "nonce"');
    app.fetch = () => list({});
    expect(await (await heldToContract(app).request(PATH)).json()).toEqual({ data: [LISTED] });
  });

  it('is the application of every test', async () => {
    const { app } = fakeApp({ schema: { version: 'v1', tables: [], more: 1 } as never });
    await expect(app.request('/v1/reporting/schema.json')).rejects.toThrow('Unrecognized key: "more"');
  });
});
