/** The sign-in of assistants, as a server opens it from its settings. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { openSignIn } from '../../../src/run/server/assistant-sign-in.ts';

const parts = {
  keys: ['a key for tests, 32 characters and more'],
  service: { query: () => Promise.reject(new Error('not asked here')) } as never,
  baseUrl: () => 'https://api.example.com/v1',
} as const;

it('the sign-in of assistants is off for clients and pages with ASSISTANT_SIGN_IN=off, and on by default', () => {
  const off = openSignIn(readSettings({ ASSISTANT_SIGN_IN: 'off' }), parts);
  expect(off).toEqual({ signIn: null, authenticateClient: null });
  const { signIn, authenticateClient } = openSignIn(readSettings({}), parts);
  expect([signIn, authenticateClient]).not.toContain(null);
});

it('A-52: no setting lets the description of a client be read inside the network of the server', async () => {
  let connected = 0;
  const inside = createServer((socket) => {
    connected += 1;
    socket.destroy();
  });
  await once(inside.listen(0, '127.0.0.1'), 'listening');
  const { port } = inside.address() as AddressInfo;
  const settings = readSettings({ WEBHOOK_NETWORKS: '127.0.0.0/8,::1/128' });
  const { signIn } = openSignIn(settings, parts);
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
    expect(await signIn?.readDocument(`https://${host}:${port}/client.json`)).toBeNull();
  }
  expect(connected).toBe(0);
  inside.close();
});

it('a token of another form or server is answered without asking the database', async () => {
  const { authenticateClient } = openSignIn(readSettings({}), parts);
  for (const text of ['x', 'cf_oat_', 'cf_oat_AAAA', `cf_oat_${'A'.repeat(80)}`, 'cf_ort_AAAA']) {
    expect(await authenticateClient?.(text)).toBeNull();
  }
});
