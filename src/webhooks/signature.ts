/** The signature of a webhook by https://www.standardwebhooks.com: HMAC-SHA256 of id, time and body. */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** Makes a secret of random bytes, in the form that the receiver gets. The standard requires 24 to 64 bytes. */
export function makeSecret(random: Uint8Array): string {
  return PREFIX + Buffer.from(random).toString('base64');
}

/** The signed parts of a message. */
interface Message {
  readonly id: string;
  /** When it is sent, in seconds since 1970: a receiver refuses a replay of an old message. */
  readonly sent_s: number;
  readonly body: string;
}

/** The headers of a message, with one signature for each secret. The receiver needs to check only one of them. */
export function signedHeaders(
  { id, sent_s, body }: Message,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const signed = `${id}.${sent_s}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(sent_s),
    'webhook-signature': signatures.join(' '),
  };
}
