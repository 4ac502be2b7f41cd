import { describe, expect, it } from 'vitest';
import { makeSecret, signedHeaders } from '../../src/webhooks/signature.ts';
import { opens } from './receiver.ts';

/** The example of the specification's own libraries, whose signature anyone can look up. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sent_s: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('a signature', () => {
  it('equals the example of the standard', () => {
    expect(signedHeaders(PUBLISHED.message, [PUBLISHED.secret])).toEqual({
      'webhook-id': PUBLISHED.message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': PUBLISHED.signature,
    });
  });

  it('opens to each of several secrets, and to no other', async () => {
    const [fresh, former, foreign] = [1, 2, 3].map((byte) => makeSecret(Buffer.alloc(32, byte)));
    const headers = signedHeaders(PUBLISHED.message, [fresh ?? '', former ?? '']);
    const { body } = PUBLISHED.message;
    const opened = [fresh, former, foreign].map((secret) => opens(secret ?? '', headers, body));
    expect(await Promise.all(opened)).toEqual([true, true, false]);
    expect(await opens(fresh ?? '', headers, `${body} `)).toBe(false);
    expect(await opens(fresh ?? '', { ...headers, 'webhook-timestamp': '1614265331' }, body)).toBe(false);
    expect(await opens(fresh ?? '', { ...headers, 'webhook-id': 'msg_other' }, body)).toBe(false);
  });

  it('is made with a secret of the form that receivers paste into their libraries', () => {
    expect(makeSecret(Buffer.alloc(32, 7))).toBe('whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=');
  });
});
