/** Where the requests for the bucket of a customer go: to no address of our network, and to no store of this program. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DELIVERED_KEY } from '../../src/store/object-key.ts';
import { openS3Store } from '../../src/store/s3.ts';
import { allowAddresses } from '../../src/webhooks/allowed-addresses.ts';
import { guardedLookup } from '../../src/webhooks/guarded-lookup.ts';

const KEY = { accessKeyId: 'key', secretAccessKey: 'secret' };
/** Two of the SDK's settings that name a store for every client of the program. */
const NAMES = ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'] as const;

/** A server on all addresses of this computer that counts what reaches it. */
let port: number;
let reached = 0;
const server = createServer((_, response) => {
  reached += 1;
  response.writeHead(404).end();
});
beforeAll(async () => {
  await once(server.listen(0), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  for (const name of NAMES) delete process.env[name];
  reached = 0;
});
afterAll(() => server.close());

const open = (endpoint: string | null, lookup: LookupFunction, ignoresEnvironment = true) =>
  openS3Store({
    location: new URL('s3://their-bucket/figures'),
    keys: DELIVERED_KEY,
    endpoint,
    region: 'eu-west-1',
    encryption: null,
    checksums: 'stored',
    credentials: KEY,
    lookup,
    ignoresEnvironment,
  });

describe('an address that is not public', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])('%s is never reached', async (host) => {
    const store = open(`http://${host}:${port}`, guardedLookup(allowAddresses([])));
    await expect(store.create('latest.json', Buffer.from('x'))).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    await expect(store.stat('latest.json')).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(store.readSmall('latest.json', 10)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(reached).toBe(0);
  });

  it('is reached once the operator lists its network', async () => {
    const store = open(`http://127.0.0.1:${port}`, guardedLookup(allowAddresses(['127.0.0.0/8'])));
    expect(await store.stat('latest.json')).toBeNull();
    expect(reached).toBe(1);
  });
});

/** Refuses every host, and notes it. */
const noting = (hosts: string[]): LookupFunction => {
  const refuse = guardedLookup({ refuseUrl: () => null, mayReach: () => false });
  return (host, options, callback) => {
    hosts.push(host);
    refuse('127.0.0.1', options, callback);
  };
};

describe.each(NAMES)('%s of this program', (name) => {
  it("names no store for a customer's key", async () => {
    process.env[name] = `http://127.0.0.1:${port}`;
    const hosts: string[] = [];
    await expect(open(null, noting(hosts)).stat('latest.json')).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect(new Set(hosts)).toEqual(new Set(['their-bucket.s3.eu-west-1.amazonaws.com']));
    expect(reached).toBe(0);
  });

  it('is still refused as an address where a client reads it', async () => {
    process.env[name] = `http://127.0.0.1:${port}`;
    const store = open(null, guardedLookup(allowAddresses([])), false);
    await expect(store.stat('latest.json')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(reached).toBe(0);
  });
});
