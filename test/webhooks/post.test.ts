/** One POST, to where it must not go. */
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post, type PostTools } from '../../src/webhooks/post.ts';
import { allowAddresses } from '../../src/webhooks/allowed-addresses.ts';
import { certifyLoopback } from '../rates/certificate.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const NOW = 1_784_080_000_000_000n; // 2026-07-15T01:46:40Z
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver[Symbol.asyncDispose]());

const send = (url: string, networks = ['127.0.0.0/8'], tools: Partial<PostTools> = {}) =>
  post(
    { url, headers: {}, body: '{}' },
    { allowed: allowAddresses(networks), signal: new AbortController().signal, now: () => NOW, ...tools },
  );

const asked = async (text: string) => {
  receiver.plan('/later', [{ status: 429, headers: { 'retry-after': text } }]);
  return await send(receiver.address('/later'));
};

describe('a post', () => {
  it('to this machine is made only where the settings allow it', async () => {
    expect(await send(receiver.address('/'), [])).toEqual({ fault: 'address_refused' });
    expect(receiver.received).toEqual([]);
    expect(await send(receiver.address('/'))).toEqual({ status: 204, retry_after_s: null });
  });

  it('to a name connects only to checked addresses, and to no private address', async () => {
    // Whatever resolver answers for it, the name of this machine leads to this machine.
    expect(await send('https://localhost:1/', [])).toEqual({ fault: 'address_refused' });
    expect(await send('https://localhost:1/', ['127.0.0.0/8', '::1'])).toEqual({ fault: 'ECONNREFUSED' });
  });

  it('ignores a malformed Retry-After, and reads seconds and dates', async () => {
    expect(await asked('90')).toEqual({ status: 429, retry_after_s: 90 });
    // A minute and twenty seconds after the clock of the test.
    expect(await asked('Wed, 15 Jul 2026 01:48:00 GMT')).toEqual({ status: 429, retry_after_s: 80 });
    expect(await asked('Wed, 15 Jul 2026 01:00:00 GMT')).toEqual({ status: 429, retry_after_s: 0 });
    expect(await asked('soon')).toEqual({ status: 429, retry_after_s: null });
  });

  it('refuses a certificate of an unknown authority', async () => {
    const server = createServer(certifyLoopback(), (_, response) => void response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await send(`https://127.0.0.1:${port}/`)).toEqual({ fault: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    server.close();
  });

  it('that is called off fails with the reason, and sends nothing', async () => {
    const before = receiver.received.length;
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(send(receiver.address('/'), undefined, { signal })).rejects.toThrow('stopped');
    expect(receiver.received).toHaveLength(before);
  });
});
