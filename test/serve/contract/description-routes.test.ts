import { describe, expect, it } from 'vitest';
import { describeApi } from '../../../src/serve/api-document.ts';
import { fakeApp } from '../fake-parts.ts';

describe('the contract', () => {
  it('is served to anyone under the public address, and may be cached like the tables', async () => {
    const { app } = fakeApp({ baseUrl: () => 'https://figures.example/v1' });
    const response = await app.request('/v1/openapi.json');
    const body = (await response.json()) as object;
    expect(body).toEqual(JSON.parse(JSON.stringify(describeApi('https://figures.example/v1'))));
    expect(body).toMatchObject({ servers: [{ url: 'https://figures.example/v1' }] });
    const tables = await app.request('/v1/reporting/schema.json');
    for (const { headers } of [response, tables]) {
      expect(headers.get('cache-control')).toBe('public, max-age=300');
    }
  });

  it('is made once, however often it is asked for', async () => {
    let made = 0;
    const { app } = fakeApp({
      baseUrl: () => {
        made += 1;
        return 'https://figures.example/v1';
      },
    });
    const tags = new Set<string | null>();
    for (let asked = 0; asked < 3; asked += 1) {
      tags.add((await app.request('/v1/openapi.json')).headers.get('etag'));
    }
    expect([made, tags.size]).toEqual([1, 1]);
  });

  it('lets clients expect fields that it does not name yet, because within v1 fields are added', () => {
    expect(JSON.stringify(describeApi('https://figures.example/v1'))).not.toContain(
      '"additionalProperties":false',
    );
  });
});
