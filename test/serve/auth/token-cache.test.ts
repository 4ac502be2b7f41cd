import { describe, expect, it } from 'vitest';
import type { TokenHolder } from '../../../src/ledger/tokens.ts';
import { cacheTokens } from '../../../src/serve/auth/token-cache.ts';
import { tokenDigest } from '../../../src/serve/auth/token.ts';
import { TOKENS } from '../fake-parts.ts';

const HOLDER: TokenHolder = {
  token_id: 1n,
  account_id: 7n,
  user_id: 3n,
  kind: 'personal',
  api_access: true,
  reporting_enabled: true,
};

function remembering(answers: () => Promise<TokenHolder | null>) {
  const clock = { now: 1_000 };
  const asked: string[] = [];
  const known = cacheTokens(
    async (sha256) => {
      asked.push(Buffer.from(sha256).toString('hex'));
      return answers();
    },
    () => clock.now,
  );
  return { clock, asked, known };
}

describe('a token', () => {
  it('is looked up once in four seconds, by its digest', async () => {
    const { clock, asked, known } = remembering(async () => HOLDER);
    expect(await known(tokenDigest(TOKENS.personal))).toEqual(HOLDER);
    clock.now += 3_999;
    expect(await known(tokenDigest(TOKENS.personal))).toEqual(HOLDER);
    expect(asked).toEqual([tokenDigest(TOKENS.personal).toString('hex')]);
    clock.now += 1;
    await known(tokenDigest(TOKENS.personal));
    expect(asked).toHaveLength(2);
  });

  it('A-12: is dead within five seconds of its end, however slow the look-up was', async () => {
    const slow = Promise.withResolvers<TokenHolder | null>();
    const answers = [slow.promise, Promise.resolve(null)];
    const { clock, known } = remembering(() => answers.shift() ?? Promise.resolve(null));
    const first = known(tokenDigest(TOKENS.personal));
    clock.now += 2_000; // what it saw is two seconds old when it comes
    slow.resolve(HOLDER);
    expect(await first).toEqual(HOLDER);
    clock.now += 2_000;
    expect(await known(tokenDigest(TOKENS.personal))).toBeNull();
  });

  it('that was refused is asked for again at once: it may just have been issued', async () => {
    const answers = [null, HOLDER];
    const { known } = remembering(async () => answers.shift() ?? null);
    expect(await known(tokenDigest(TOKENS.personal))).toBeNull();
    expect(await known(tokenDigest(TOKENS.personal))).toEqual(HOLDER);
  });

  it('is not answered for by what was known, when the look-up fails', async () => {
    let down = false;
    const { clock, known } = remembering(async () => {
      if (down) throw new Error('down');
      return HOLDER;
    });
    await known(tokenDigest(TOKENS.personal));
    down = true;
    clock.now += 4_000;
    await expect(known(tokenDigest(TOKENS.personal))).rejects.toThrow('down');
    down = false;
    expect(await known(tokenDigest(TOKENS.personal))).toEqual(HOLDER);
  });

  it('says nothing about another', async () => {
    const { asked, known } = remembering(async () => HOLDER);
    await known(tokenDigest(TOKENS.personal));
    await known(tokenDigest(TOKENS.other));
    expect(asked).toHaveLength(2);
  });
});
