import { createCipheriv, createHmac, hkdfSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSeals } from '../../../src/serve/auth/seals.ts';

const SECRET = 'the key of this year, 32 characters and more';
const CONTENT = Buffer.from('8 bytes.');
const sealsOf = (purpose: string) => createSeals([SECRET], { purpose, content_bytes: CONTENT.length });

describe('a seal', () => {
  it('of one purpose does not open for another purpose', () => {
    const sealed = sealsOf('links').seal(CONTENT, 'costs');
    expect(sealsOf('links').open(sealed, 'costs')).toEqual(CONTENT);
    expect(sealsOf('sessions').open(sealed, 'costs')).toBeNull();
  });

  it('is a nonce, the content under AES-256-GCM and its tag, with one key for the nonce and another for the content', () => {
    // HKDF gives 64 bytes for a purpose: the first 32 seal, the last 32 make the nonce of content and bound.
    const keys = Buffer.from(hkdfSync('sha256', SECRET, '', 'crossfoot links', 64));
    const made = createHmac('sha256', keys.subarray(32)).update('8 bytes.costs').digest();
    const nonce = made.subarray(0, 12);
    const cipher = createCipheriv('aes-256-gcm', keys.subarray(0, 32), nonce).setAAD(Buffer.from('costs'));
    const sealed = Buffer.concat([nonce, cipher.update(CONTENT), cipher.final(), cipher.getAuthTag()]);
    expect(sealsOf('links').seal(CONTENT, 'costs')).toBe(sealed.toString('base64url'));
  });
});
