/** The routes of the DuckLake catalogue: who gets which one, and what keeps its links secret. */
import { describe, expect, it } from 'vitest';
import type { AskedCatalogue } from '../../../src/lake/catalogues.ts';
import { createLogger } from '../../../src/log.ts';
import { bearer, bytesOf, fakeApp, LATEST, NOW, TOKENS } from '../fake-parts.ts';

const DUCKLAKE = '/v1/reporting/lake/1.0.ducklake';
const SQLITE = '/v1/reporting/lake/1.0.sqlite';
const WITH_LINKS = [`${DUCKLAKE}?links=true`, SQLITE, `${SQLITE}?links=true`];
const HOUR = 3_600_000_000n;

/** The link to `costs` that the catalogue of an address names. */
async function linkIn(
  app: ReturnType<typeof fakeApp>['app'],
  address: string,
  token: string,
): Promise<string> {
  const text = await (await app.request(address, bearer(token))).text();
  return new URL(text.split(' ').at(-1) ?? '').pathname;
}

describe('a catalogue', () => {
  it('is that of the account of the token, personal or for reporting', async () => {
    const { app } = fakeApp();
    for (const [token, account] of [
      [TOKENS.personal, 7],
      [TOKENS.reporting, 7],
      [TOKENS.other, 8],
    ] as const) {
      for (const address of [DUCKLAKE, ...WITH_LINKS]) {
        const answer = await app.request(address, bearer(token));
        expect([answer.status, (await answer.text()).split(' ')[1]]).toEqual([200, String(account)]);
      }
    }
  });

  it('is refused without a token, by a token that is unknown or without rights, and before the first snapshot', async () => {
    const { app } = fakeApp();
    const statusOf = async (address: string, token?: string): Promise<number> =>
      (await app.request(address, token === undefined ? {} : bearer(token))).status;
    for (const address of [DUCKLAKE, ...WITH_LINKS]) {
      expect(await statusOf(address)).toBe(401);
      expect(await statusOf(address, TOKENS.unknown)).toBe(401);
      expect(await statusOf(address, TOKENS.switchedOff)).toBe(404);
      expect(await statusOf(address, TOKENS.withoutApi)).toBe(403);
      expect(await statusOf(address, TOKENS.unbuilt)).toBe(404);
    }
  });

  it.each([
    [`${DUCKLAKE}?links=yes`, 400],
    [`${DUCKLAKE}?snapshot=1`, 400],
    [`${SQLITE}?links=false`, 400],
    ['/v1/reporting/lake/1.1.ducklake', 404],
    // DuckDB looks for it before it reads a database.
    [`${DUCKLAKE}.wal`, 404],
    [`${DUCKLAKE}.wal?links=true`, 404],
  ])('answers %s with %i', async (address, status) => {
    expect((await fakeApp().app.request(address, bearer(TOKENS.reporting))).status).toBe(status);
  });

  it('may be kept by the own cache of a client, and asked for again by its entity tag', async () => {
    const { app } = fakeApp();
    const answer = await app.request(DUCKLAKE, bearer(TOKENS.reporting));
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-transform');
    const etag = answer.headers.get('etag') ?? '';
    const { headers } = bearer(TOKENS.reporting);
    const again = await app.request(DUCKLAKE, { headers: { ...headers, 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});

describe('a catalogue with links', () => {
  it.each(WITH_LINKS)('is kept by no cache: %s', async (address) => {
    const answer = await fakeApp().app.request(address, bearer(TOKENS.reporting));
    expect(answer.headers.get('cache-control')).toBe('private, no-store, no-transform');
  });

  it.each(WITH_LINKS)('names files that are read without a token: %s', async (address) => {
    const { app } = fakeApp();
    const answer = await app.request(await linkIn(app, address, TOKENS.reporting));
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([
      200,
      bytesOf(7n, LATEST, 'costs'),
    ]);
  });

  it('names no file of another account, and none without links', async () => {
    const { app } = fakeApp();
    const foreign = await app.request(await linkIn(app, SQLITE, TOKENS.other));
    expect(Buffer.from(await foreign.arrayBuffer())).toEqual(bytesOf(8n, LATEST, 'costs'));
    expect(await (await app.request(DUCKLAKE, bearer(TOKENS.reporting))).text()).not.toContain('/links/');
  });

  // NOW is three o'clock: links made until four work until five.
  it.each([
    [NOW, NOW + 2n * HOUR - 1n, 200],
    [NOW, NOW + 2n * HOUR, 410],
    [NOW + HOUR - 1n, NOW + 2n * HOUR - 1n, 200],
    [NOW + HOUR - 1n, NOW + 2n * HOUR, 410],
  ])(
    'works for one to two hours: made at %i, a file asked for at %i is answered with %i',
    async (at, then, status) => {
      const link = await linkIn(fakeApp({ now: () => at }).app, SQLITE, TOKENS.reporting);
      expect((await fakeApp({ now: () => then }).app.request(link)).status).toBe(status);
    },
  );

  it('is made anew for another token and for another hour, and for nothing else', async () => {
    const keys: unknown[] = [];
    const catalogues = {
      get: async ({ links }: AskedCatalogue) => {
        keys.push(links?.key);
        return null;
      },
      close: async () => undefined,
    };
    for (const [token, now] of [
      [TOKENS.reporting, NOW],
      [TOKENS.reporting, NOW + HOUR - 1n],
      [TOKENS.reporting, NOW + HOUR],
      [TOKENS.personal, NOW],
    ] as const) {
      await fakeApp({ catalogues, now: () => now }).app.request(SQLITE, bearer(token));
    }
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });

  it('stops naming readable files when the token is revoked', async () => {
    const link = await linkIn(fakeApp().app, SQLITE, TOKENS.reporting);
    expect((await fakeApp({ findHolder: async () => null }).app.request(link)).status).toBe(410);
  });

  it('leaves no link in the log, nor does the reading of its files', async () => {
    const lines: string[] = [];
    const logger = createLogger('debug', { write: (line) => void lines.push(line) });
    const { app } = fakeApp({ logger });
    const link = await linkIn(app, `${DUCKLAKE}?links=true`, TOKENS.reporting);
    await app.request(link);
    const [, , grant = ''] = link.split('/');
    expect(grant.length).toBeGreaterThan(40);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join('\n')).not.toContain(grant);
  });
});
