/** The settings that name networks: trusted proxies, and networks that webhooks may reach. */
import { isIP } from 'node:net';
import { z } from 'zod';

const networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .pipe(z.array(z.string().refine(isNetwork)));

/** Form and purpose of each setting, as in `config.ts`. */
export const NETWORK_SETTINGS = {
  TRUSTED_PROXIES: {
    schema: networks.default([]),
    expected: 'addresses or networks such as 10.0.0.0/8, separated by commas',
    absent: 'none',
    sentence: 'Proxies whose `X-Forwarded-For` is trusted. Limits count for the address that they name.',
  },
  WEBHOOK_NETWORKS: {
    schema: networks.default([]),
    expected: 'addresses or networks such as 10.0.0.0/8, separated by commas',
    absent: 'none',
    sentence:
      'Private networks that webhooks may reach. With 127.0.0.0/8 among them, webhooks to this machine need no TLS.',
  },
} as const;

function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
