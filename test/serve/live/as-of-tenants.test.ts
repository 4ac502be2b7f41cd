/** Routes × tokens × tenants × snapshots: what each token is answered as of each snapshot of two accounts in one store. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenHolder } from '../../../src/ledger/tokens.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { COMPANION_SET } from '../../../src/tables/companions.ts';
import { makeToken } from '../../../src/serve/auth/token.ts';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { DAY, clockAt, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { OPERATIONS } from '../contract/contract-operations.ts';
import { bearer, fakeApp } from '../fake-parts.ts';

const HOLDER = { user_id: 1n, kind: 'personal', api_access: true, reporting_enabled: true } as const;
const HOLDERS: Readonly<Record<string, TokenHolder>> = {
  one: { ...HOLDER, token_id: 1n, account_id: 1n },
  two: { ...HOLDER, token_id: 2n, account_id: 2n },
  reporting: { ...HOLDER, token_id: 3n, account_id: 1n, user_id: null, kind: 'reporting' },
  withoutApi: { ...HOLDER, token_id: 4n, account_id: 1n, api_access: false },
  switchedOff: { ...HOLDER, token_id: 5n, account_id: 1n, reporting_enabled: false },
};
/** A word of each account's rows that the other account has nowhere. */
const TENANTS = [
  { token: 'one', other: 'two', foreign: 'kestrel' },
  { token: 'two', other: 'one', foreign: 'halden' },
] as const;

/** Both accounts have a snapshot of this second, and each has a snapshot that the other lacks. */
const SHARED = '20260715T020000Z';
const OF_ONE = '20260716T020000Z';
const OF_TWO = '20260717T020000Z';

/** Each snapshot that a request can name, and the snapshot that each account gets; null for no snapshot. */
const NAMES: Readonly<Record<string, Readonly<Record<'one' | 'two', string | null>>>> = {
  [SHARED]: { one: SHARED, two: SHARED },
  [OF_ONE]: { one: OF_ONE, two: null },
  [OF_TWO]: { one: null, two: OF_TWO },
  latest: { one: OF_ONE, two: OF_TWO },
  'september-close': { one: SHARED, two: null },
  nothing: { one: null, two: null },
};

let harness: BuildHarness;
let app: ReturnType<typeof fakeApp>['app'];
/** An initiative of each account. */
const initiatives = { one: 0n, two: 0n };
beforeAll(async () => {
  const store = memoryStore(new Map());
  const checksBeside = await readChecksBeside([COMPANION_SET]);
  harness = await openBuildHarness();
  for (const [account_id, day] of [
    [1n, 0n],
    [1n, 1n],
    [2n, 0n],
    [2n, 2n],
  ] as const) {
    await harness.build({ account_id, at: AT + day * DAY, store, checksBeside });
  }
  const owner = await harness.database.client('cf_owner');
  const { rows } = await owner.query<{ id: bigint }>(
    'select min(id) as id from ledger.initiatives where not is_sample group by account_id order by account_id',
  );
  [initiatives.one, initiatives.two] = [rows[0]?.id ?? 0n, rows[1]?.id ?? 0n];
  const wanted = { account_id: 1n, snapshot_id: SHARED, by: 'test', now: AT };
  const tools = { store, clock: clockAt(AT), newNonce: () => 'a'.repeat(32) };
  await pin({ ...wanted, name: 'september-close', until: AT + 100n * DAY }, tools);
  app = fakeApp({
    snapshots: readerAt(store, () => AT + 3n * DAY),
    authenticate: async (token) =>
      Object.entries(HOLDERS).find(([who]) => tokenOf(who) === token)?.[1] ?? null,
  }).app;
});
afterAll(() => harness.close());

/** The paths of every route that takes `snapshot_id`, for an account with this initiative. */
function pathsOf(initiative: bigint): readonly string[] {
  return OPERATIONS.filter(({ query }) => query.some(({ name }) => name === 'snapshot_id')).flatMap(
    ({ path, query }) => {
      const own = `/v1${path.replace('{id}', String(initiative))}`;
      const filtered = query.some(({ name }) => name === 'initiative_id');
      return filtered ? [own, `${own}?initiative_id=${initiative}`] : [own];
    },
  );
}

const tokenOf = (who: string): string =>
  makeToken('personal', Uint8Array.from(createHash('sha256').update(who).digest()));

async function ask(token: string, path: string, snapshot: string) {
  const named = `${path}${path.includes('?') ? '&' : '?'}snapshot_id=${snapshot}`;
  const response = await app.request(named, bearer(tokenOf(token)));
  return { status: response.status, text: await response.text() };
}

describe.each(TENANTS)('the personal token of account $token', ({ token, other, foreign }) => {
  it.each(Object.entries(NAMES))(
    'is answered at every route as of %s from its own rows alone, or with 404',
    async (name, of) => {
      const paths = pathsOf(initiatives[token]);
      expect(paths.length).toBeGreaterThan(12);
      for (const path of paths) {
        const { status, text } = await ask(token, path, name);
        expect([path, status]).toEqual([path, of[token] === null ? 404 : 200]);
        if (status !== 200) continue;
        expect([path, (JSON.parse(text) as { snapshot_id: string }).snapshot_id]).toEqual([path, of[token]]);
        expect([path, text.toLowerCase().includes(foreign)]).toEqual([path, false]);
      }
    },
  );

  it('is refused the initiative of the other account as of every snapshot, like an unknown initiative', async () => {
    for (const name of [SHARED, 'latest']) {
      for (const path of [
        '/v1/initiatives/ID',
        '/v1/roi?initiative_id=ID',
        '/v1/cost_entries?initiative_id=ID',
      ]) {
        const none = await ask(token, path.replace('ID', '999999'), name);
        expect(none.status).toBe(404);
        expect(await ask(token, path.replace('ID', String(initiatives[other])), name)).toEqual(none);
      }
    }
  });
});

describe('snapshots of the same second', () => {
  it('answer each account at every list with other rows', async () => {
    for (const path of pathsOf(initiatives.one).filter((each) => !each.includes('?') && !/\d$/.test(each))) {
      const [one, two] = [await ask('one', path, SHARED), await ask('two', path, SHARED)];
      expect([path, one.text === two.text]).toEqual([path, false]);
    }
  });
});

describe.each([
  ['reporting', 403],
  ['withoutApi', 403],
  ['switchedOff', 404],
  ['never issued', 401],
] as const)('the token %s', (token, expected) => {
  it(`is answered ${expected} at every route as of every snapshot, and so is its companion tables' count`, async () => {
    for (const name of Object.keys(NAMES)) {
      for (const path of pathsOf(initiatives.one)) {
        expect([path, name, (await ask(token, path, name)).status]).toEqual([path, name, expected]);
      }
    }
    const counts = await app.request(`/v1/snapshots/${SHARED}/companions`, bearer(tokenOf(token)));
    expect(counts.status).toBe(expected);
  });
});
