/** The settings of the network: the sign-in of assistants, trusted proxies, networks that webhooks may reach, the mail server, and the form of a host. */
import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';

const networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .pipe(z.array(z.string().refine(isNetwork)));

/** A host to listen on. Its URL is made later, from this text and a port. */
export const HOST_FORM = {
  schema: z.string().refine(isHost).default('127.0.0.1'),
  expected: 'a host name or an address, without scheme, port and path',
  absent: '`127.0.0.1`',
} as const;

/** Form and purpose of each setting, as in `config.ts`. */
export const NETWORK_SETTINGS = {
  ASSISTANT_SIGN_IN: {
    schema: z.enum(['on', 'off']).default('on'),
    expected: 'on or off',
    absent: '`on`',
    sentence:
      'Whether people may connect assistants by signing in (OAuth). `off`: the assistant takes personal tokens only, and no connected client is answered.',
  },
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
  DELIVERY_NETWORKS: {
    schema: networks.default([]),
    expected: 'addresses or networks such as 10.0.0.0/8, separated by commas',
    absent: 'none',
    sentence:
      "Private networks in which a customer's store may be, for deliveries. With 127.0.0.0/8 among them, a store on this machine needs no TLS.",
  },
  SMTP_URL: {
    schema: z
      .url({ protocol: /^smtps?$/, hostname: /./ })
      .refine(hasReadableLogin)
      .optional(),
    expected: 'an smtp:// or smtps:// URL, set together with SMTP_FROM',
    absent: 'no letters',
    sentence:
      'The mail server that sends the letters of webhooks `--as email`, with its login. A login is sent only over TLS.',
    secret: true,
  },
  SMTP_FROM: {
    schema: z.email().optional(),
    expected: 'an e-mail address, set together with SMTP_URL',
    absent: 'no letters',
    sentence: 'The address that these letters come from.',
  },
  METRICS_HOST: {
    ...HOST_FORM,
    sentence: 'The address that serves metrics. They need no token.',
  },
} as const;

interface Mail {
  readonly SMTP_URL?: string | undefined;
  readonly SMTP_FROM?: string | undefined;
}

/** Reports the one of both mail settings that is missing. */
export function requireMailTogether({ SMTP_URL, SMTP_FROM }: Mail, context: z.core.$RefinementCtx): void {
  if ((SMTP_URL === undefined) === (SMTP_FROM === undefined)) return;
  context.addIssue({ code: 'custom', path: [SMTP_URL === undefined ? 'SMTP_URL' : 'SMTP_FROM'] });
}

/** The mail server, and the address that writes; null if none is set. */
export function mailOf({ SMTP_URL: url, SMTP_FROM: from }: Mail) {
  return url === undefined || from === undefined ? null : { url, from };
}

/** `db.example.com`, `10.0.0.1` or `::1`; a colon is of an address, never before a port. */
function isHost(text: string): boolean {
  return isIPv6(text) ? !text.includes('%') : /^\w[\w.-]*$/.test(text) && URL.canParse(`http://${text}:1/`);
}

function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** False for a login with a stray `%`: a sign such as `@` or `%` is written as `%40` or `%25`. */
function hasReadableLogin(text: string): boolean {
  const url = URL.parse(text);
  try {
    return url !== null && decodeURIComponent(url.username + url.password) !== null;
  } catch {
    return false;
  }
}
