/** Which accounts have prepared pages, and when they are prepared anew. */
import { describe, expect, it } from 'vitest';
import { watchLooks } from '../../../src/run/server/looked-at.ts';
import type { PreparePages } from '../../../src/serve/prepare-pages.ts';

/** Newest snapshots by account, and what was prepared of which. */
function watched(prepare?: PreparePages) {
  const newest = new Map<bigint, string>();
  const prepared: string[] = [];
  const failed: bigint[] = [];
  const looked = watchLooks({
    newestOf: async (account_id) => newest.get(account_id) ?? null,
    prepare: async (account_id) => {
      prepared.push(`${account_id} ${newest.get(account_id)}`);
      await prepare?.(account_id);
    },
    onUnprepared: (account_id) => failed.push(account_id),
  });
  return { newest, prepared, failed, looked };
}

describe('pages are prepared', () => {
  it('of accounts that a person looked at, once for each snapshot, the last one first', async () => {
    const { newest, prepared, looked } = watched();
    for (const account_id of [1n, 2n, 3n]) newest.set(account_id, 'monday');
    looked.note(1n);
    looked.note(2n);
    looked.note(4n); // has no snapshot
    await looked.prepare();
    await looked.prepare();
    expect(prepared).toEqual(['2 monday', '1 monday']);
    newest.set(2n, 'tuesday');
    looked.note(1n);
    await looked.prepare();
    expect(prepared).toEqual(['2 monday', '1 monday', '2 tuesday']);
  });

  it('of the sixteen accounts that people looked at last', async () => {
    const { newest, prepared, looked } = watched();
    for (let account_id = 1n; account_id <= 17n; account_id += 1n) {
      newest.set(account_id, 'monday');
      if (account_id === 17n) looked.note(1n); // again, before the seventeenth account
      looked.note(account_id);
    }
    await looked.prepare();
    expect(prepared).toHaveLength(16);
    expect(prepared).toContain('1 monday');
    expect(prepared).not.toContain('2 monday');
  });

  it('again only of the next snapshot if they could not be read; others are prepared meanwhile', async () => {
    const { newest, prepared, failed, looked } = watched(async (account_id) => {
      if (account_id === 2n) throw new Error('a file is damaged');
    });
    for (const account_id of [1n, 2n]) {
      newest.set(account_id, 'monday');
      looked.note(account_id);
    }
    await looked.prepare();
    await looked.prepare();
    expect([prepared, failed]).toEqual([['2 monday', '1 monday'], [2n]]);
    newest.set(2n, 'tuesday');
    await looked.prepare();
    expect(failed).toEqual([2n, 2n]);
  });

  it('one account at a time, and none more once the server stops', async () => {
    const gate = Promise.withResolvers<void>();
    const { newest, prepared, failed, looked } = watched(() => gate.promise);
    for (const account_id of [1n, 2n]) {
      newest.set(account_id, 'monday');
      looked.note(account_id);
    }
    const running = looked.prepare();
    await looked.prepare();
    looked.stop();
    gate.reject(new Error('the store is closed'));
    await running;
    expect([prepared, failed]).toEqual([['2 monday'], []]);
  });
});
