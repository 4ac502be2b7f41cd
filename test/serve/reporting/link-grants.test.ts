/** What stands in the path of a link: only what we sealed opens, and only for what it was sealed for. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkGrants, type Grant } from '../../../src/serve/reporting/link-grants.ts';

const OLD = 'the key of last year, 32 characters and more';
const NEW = 'the key of this year, 32 characters and more';
const GRANT: Grant = {
  account_id: 7n,
  snapshot_id: '20261120T020000Z',
  table: 'costs',
  token_sha256: new Uint8Array(32).fill(9),
  expires_at: 1_795_143_600_000_000n,
};

const anyGrant = fc.record({
  account_id: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  snapshot_id: fc.stringMatching(/^\d{8}T\d{6}Z$/),
  table: fc.stringMatching(/^[a-z_]{1,30}$/),
  token_sha256: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  expires_at: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
});

describe('a grant', () => {
  it('opens as what was sealed, with any of the keys', () => {
    fc.assert(
      fc.property(anyGrant, (grant) => {
        const sealed = createLinkGrants([OLD]).seal(grant);
        const opened = createLinkGrants([NEW, OLD]).open(sealed, grant.table);
        expect(opened).toEqual({ ...grant, token_sha256: Buffer.from(grant.token_sha256) });
        expect(sealed).toMatch(/^[\w-]+$/);
      }),
    );
  });

  it('says nothing of the token, the account or the snapshot that it holds', () => {
    const bytes = Buffer.from(createLinkGrants([NEW]).seal(GRANT), 'base64url');
    expect(bytes.includes(Buffer.from(GRANT.token_sha256))).toBe(false);
    expect(bytes.includes(GRANT.snapshot_id)).toBe(false);
  });

  it('has a different nonce for each table, so that no nonce seals twice with one key', () => {
    const grants = createLinkGrants([NEW]);
    const nonceOf = (table: string) =>
      Buffer.from(grants.seal({ ...GRANT, table }), 'base64url').toString('hex', 0, 12);
    expect(nonceOf('costs')).not.toBe(nonceOf('budgets'));
    // The same grant is the same word: a link can be compared and cached.
    expect(nonceOf('costs')).toBe(nonceOf('costs'));
  });

  it('does not open with another key, for another table, or with a changed bit', () => {
    const grants = createLinkGrants([NEW]);
    const open = (sealed: string, table: string) => grants.open(sealed, table);
    const sealed = grants.seal(GRANT);
    expect(open(sealed, 'costs')).not.toBeNull();
    expect(createLinkGrants([OLD]).open(sealed, 'costs')).toBeNull();
    expect(open(sealed, 'budgets')).toBeNull();
    const bytes = Buffer.from(sealed, 'base64url');
    const opened = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return open(changed.toString('base64url'), 'costs');
    }).filter((each) => each !== null);
    expect(opened).toEqual([]);
    for (const other of ['', 'x', sealed.slice(1), `${sealed}A`, `${sealed}=`, `${sealed.slice(0, -1)}~`]) {
      expect(open(other, 'costs')).toBeNull();
    }
  });
});
