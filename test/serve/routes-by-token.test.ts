/** Every route with every kind of token. The routes are the application's own, so that a new one must be listed here. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTokenHolder, insertToken } from '../../src/ledger/tokens.ts';
import { makeToken, tokenDigest, type TokenKind, tokenMarks } from '../../src/serve/auth/token.ts';
import { SHARING_ROUTES } from '../../src/serve/sharing/routes.ts';
import { isSharing } from '../../src/serve/sharing/sharing-path.ts';
import { routed } from '../../src/serve/frame/define-page.ts';
import { RESOURCE_DOCUMENT, routesOf, SERVER_DOCUMENT } from '../../src/serve/auth/well-known.ts';
import { SIGN_IN_PAGES } from '../../src/serve/connect/routes.ts';
import { PAGES } from '../../src/serve/page-routes.ts';
import { FAKE_SIGN_IN } from './connect/fake-sign-in.ts';
import { bearer, fakeApp, LATEST, linkTo } from './fake-parts.ts';
import { addressOf } from './route-addresses.ts';
import { type LiveCompany, openLive } from './live/live-company.ts';

/** What a route is for: everybody, holders of any token, or holders of a personal one. */
type Door = 'live' | 'public' | 'reporting';

/** A token of another account: what it reads is not the user's. */
const LINK = linkTo('costs');
const CHANGES_LINK = linkTo('changes/costs');

const EVERY_PAGE = [...PAGES, ...SIGN_IN_PAGES];

/** Pages for everybody at one address; at the top everybody gets the form of the sign-in. */
const PUBLIC_PAGES = PAGES.flatMap(({ path, access }) =>
  path === '/' || (access === 'public' && !path.includes('{'))
    ? [[path, ['public', path] as const] as const]
    : [],
);

/** Each route of the application, what it is for, and an address of it that answers. */
const ROUTES: Readonly<Record<string, readonly [door: Door, address: string]>> = {
  ...Object.fromEntries(PUBLIC_PAGES),
  ...Object.fromEntries(
    ([RESOURCE_DOCUMENT, SERVER_DOCUMENT] as const).flatMap((document) => {
      const [address, below] = routesOf(document);
      return [address, below].map((route) => [route, ['public', address] as const]);
    }),
  ),
  ...Object.fromEntries(
    SHARING_ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => {
      const address = addressOf(path, LATEST, { table: 'costs' });
      return [
        path,
        ['reporting', path.endsWith('/changes') ? `${address}?startingVersion=1` : address],
      ] as const;
    }),
  ),
  '/healthz': ['public', '/healthz'],
  '/links/:grant/:table{[a-z_]+\\.parquet}': ['public', LINK],
  '/links/:grant/changes/:table{[a-z_]+\\.parquet}': ['public', CHANGES_LINK],
  '/pull.mjs': ['public', '/pull.mjs'],
  '/pull.py': ['public', '/pull.py'],
  '/readyz': ['public', '/readyz'],
  '/v1/budgets': ['live', '/v1/budgets'],
  '/v1/cost_entries': ['live', '/v1/cost_entries'],
  '/v1/decisions': ['live', '/v1/decisions'],
  '/v1/initiatives': ['live', '/v1/initiatives'],
  '/v1/initiatives/:id': ['live', '/v1/initiatives/101'],
  '/v1/integrations': ['live', '/v1/integrations'],
  '/v1/ai_usage': ['live', '/v1/ai_usage'],
  '/v1/metrics': ['live', '/v1/metrics'],
  '/v1/observations': ['live', '/v1/observations'],
  '/v1/openapi.json': ['public', '/v1/openapi.json'],
  '/v1/snapshots/:snapshot_id/companions': ['live', `/v1/snapshots/${LATEST}/companions`],
  '/v1/reporting/diff/:from/:to': ['reporting', `/v1/reporting/diff/${LATEST}/${LATEST}`],
  '/v1/reporting/datacontract.yaml': ['public', '/v1/reporting/datacontract.yaml'],
  '/v1/reporting/datapackage.json': ['public', '/v1/reporting/datapackage.json'],
  '/v1/reporting/dbt/models/:table{[a-z_]+\\.sql}': ['public', '/v1/reporting/dbt/models/costs.sql'],
  '/v1/reporting/dbt/sources.yml': ['public', '/v1/reporting/dbt/sources.yml'],
  '/v1/reporting/keys': ['public', '/v1/reporting/keys'],
  '/v1/reporting/keys/allowed_signers': ['public', '/v1/reporting/keys/allowed_signers'],
  '/v1/reporting/log/:seq': ['reporting', '/v1/reporting/log/1'],
  '/v1/reporting/lake/1.0.ducklake': ['reporting', '/v1/reporting/lake/1.0.ducklake'],
  '/v1/reporting/lake/1.0.sqlite': ['reporting', '/v1/reporting/lake/1.0.sqlite'],
  '/v1/reporting/latest': ['reporting', '/v1/reporting/latest'],
  '/v1/reporting/latest/:table{[a-z_]+\\.parquet}': ['reporting', '/v1/reporting/latest/costs.parquet'],
  '/v1/reporting/latest/:table{[a-z_]+\\.csv}': ['reporting', '/v1/reporting/latest/costs.csv'],
  '/v1/reporting/latest/SHA256SUMS': ['reporting', '/v1/reporting/latest/SHA256SUMS'],
  '/v1/reporting/load/:dialect{[a-z_]+\\.sql}': ['public', '/v1/reporting/load/duckdb.sql'],
  '/v1/reporting/schema.json': ['public', '/v1/reporting/schema.json'],
  '/v1/reporting/snapshots': ['reporting', '/v1/reporting/snapshots'],
  '/v1/reporting/snapshots/:snapshot_id': ['reporting', `/v1/reporting/snapshots/${LATEST}`],
  '/v1/reporting/snapshots/:snapshot_id/:table{[a-z_]+\\.parquet}': [
    'reporting',
    `/v1/reporting/snapshots/${LATEST}/costs.parquet`,
  ],
  '/v1/reporting/snapshots/:snapshot_id/attach.sql': [
    'reporting',
    `/v1/reporting/snapshots/${LATEST}/attach.sql`,
  ],
  '/v1/reporting/snapshots/:snapshot_id/datacontract.yaml': [
    'reporting',
    `/v1/reporting/snapshots/${LATEST}/datacontract.yaml`,
  ],
  '/v1/reporting/snapshots/:snapshot_id/datapackage.json': [
    'reporting',
    `/v1/reporting/snapshots/${LATEST}/datapackage.json`,
  ],
  '/v1/reporting/snapshots/:snapshot_id/links': ['reporting', `/v1/reporting/snapshots/${LATEST}/links`],
  '/v1/reporting/snapshots/:snapshot_id/:table{[a-z_]+\\.csv}': [
    'reporting',
    `/v1/reporting/snapshots/${LATEST}/costs.csv`,
  ],
  '/v1/reporting/snapshots/:snapshot_id/SHA256SUMS': [
    'reporting',
    `/v1/reporting/snapshots/${LATEST}/SHA256SUMS`,
  ],
  '/v1/reporting/snapshots/:snapshot_id/compare/:dialect{[a-z_]+\\.sql}': [
    'reporting',
    `/v1/reporting/snapshots/${LATEST}/compare/duckdb.sql`,
  ],
  '/v1/reporting/snapshots/:snapshot_id/files/:name': [
    'reporting',
    `/v1/reporting/snapshots/${LATEST}/files/audit.json`,
  ],
  '/v1/roi': ['live', '/v1/roi'],
  '/v1/value_entries': ['live', '/v1/value_entries'],
};

/** What each caller gets behind each door. */
const CALLERS: Readonly<Record<string, Readonly<Record<Door, number>>>> = {
  'a caller without a token': { public: 200, reporting: 401, live: 401 },
  'a word': { public: 200, reporting: 401, live: 401 },
  'a mistyped token': { public: 200, reporting: 401, live: 401 },
  'a token never issued': { public: 200, reporting: 401, live: 401 },
  'an expired token': { public: 200, reporting: 401, live: 401 },
  'a revoked token': { public: 200, reporting: 401, live: 401 },
  'a token whose holder has left': { public: 200, reporting: 401, live: 401 },
  'a token of a plan without API access': { public: 200, reporting: 403, live: 403 },
  'a reporting token of a plan without API access': { public: 200, reporting: 403, live: 403 },
  'a reporting token': { public: 200, reporting: 200, live: 403 },
  'a reporting token whose issuer has left': { public: 200, reporting: 200, live: 403 },
  'a revoked reporting token': { public: 200, reporting: 401, live: 401 },
  'a personal token': { public: 200, reporting: 200, live: 200 },
};

const tokens = new Map<string, string>();
let company: LiveCompany;

beforeAll(async () => {
  company = await openLive('template_company', {
    authenticate: (token) => findTokenHolder(reader, tokenDigest(token)),
    signIn: FAKE_SIGN_IN,
  });
  const reader = company.database.pool('cf_reader');
  const owner = await company.database.client('cf_owner');
  // Account 1 reports; account 2 loses its API access; person 9001 is about to leave account 1.
  await owner.query(`
    update ledger.accounts set plan_includes_api = false where id = 2;
    insert into ledger.users (id, name) values (9001, 'Leaver');
    insert into ledger.memberships (account_id, user_id, role) values (1, 9001, 'admin')`);
  const admin = async (account_id: bigint): Promise<bigint> => {
    const { rows } = await owner.query<{ user_id: bigint }>(
      `select user_id from ledger.memberships where account_id = $1 and role = 'owner' and removed_at is null limit 1`,
      [account_id],
    );
    return rows[0]?.user_id ?? 0n;
  };
  const issue = async (who: string, kind: TokenKind, account_id = 1n, issuer?: bigint): Promise<bigint> => {
    const token = makeToken(kind, randomBytes(32));
    tokens.set(who, token);
    const issued_by_id = issuer ?? (await admin(account_id));
    return insertToken(owner, { account_id, kind, name: who, issued_by_id, ...tokenMarks(token) });
  };
  const end = (id: bigint, change: string) =>
    owner.query(`update vault.access_tokens set ${change} where account_id = 1 and id = $1`, [id]);

  tokens.set('a word', 'wrong');
  tokens.set('a mistyped token', makeToken('personal', randomBytes(32)).slice(0, -1));
  tokens.set('a token never issued', makeToken('personal', randomBytes(32)));
  await end(await issue('an expired token', 'personal'), "expires_at = now() - interval '1 second'");
  await end(await issue('a revoked token', 'personal'), 'revoked_at = now()');
  await end(await issue('a revoked reporting token', 'reporting'), 'revoked_at = now()');
  await issue('a token of a plan without API access', 'personal', 2n);
  await issue('a reporting token of a plan without API access', 'reporting', 2n);
  await issue('a reporting token', 'reporting');
  await issue('a personal token', 'personal');
  await issue('a token whose holder has left', 'personal', 1n, 9001n);
  await issue('a reporting token whose issuer has left', 'reporting', 1n, 9001n);
  await owner.query(
    'update ledger.memberships set removed_at = now() where account_id = 1 and user_id = 9001',
  );
});
afterAll(() => company.close());

/** Ways to other addresses. */
const ELSEWHERE = ['/docs/', '/sign-in'];

it('every route of the application stands in the table, and no other', () => {
  const routes = fakeApp({ signIn: FAKE_SIGN_IN }).app.routes.filter(({ method }) => method === 'GET');
  const paths = new Set(routes.map(({ path }) => path));
  const pages = EVERY_PAGE.map(({ path }) => routed(path)).filter((path) => ROUTES[path] === undefined);
  expect([...Object.keys(ROUTES), ...pages, ...ELSEWHERE].toSorted()).toEqual([...paths].toSorted());
});

describe.each(Object.entries(CALLERS))('a client with %s', (who, behind) => {
  it('A-11, A-13: gets the status of the table at every route, with GET and with HEAD', async () => {
    const token = tokens.get(who);
    const init = token === undefined ? {} : bearer(token);
    const seen: Record<string, readonly number[]> = {};
    const expected: Record<string, readonly number[]> = {};
    for (const [route, [door, address]] of Object.entries(ROUTES)) {
      const get = await company.app.request(address, init);
      const head = await company.app.request(address, { method: 'HEAD', ...init });
      seen[route] = [get.status, head.status];
      expected[route] = [behind[door], behind[door]];
      if (get.status === 200) {
        await get.arrayBuffer(); // what is never taken is never over
        continue;
      }
      const body = { error: { status: get.status } };
      const own = { errorCode: expect.any(String), message: expect.any(String) };
      expect(await get.json()).toMatchObject(isSharing(address) ? own : body);
      expect(get.headers.has('www-authenticate')).toBe(get.status === 401);
    }
    expect(seen).toEqual(expected);
  });

  it('A-11, A-13: opens no page of an account with a token in a header', async () => {
    const token = tokens.get(who);
    for (const { path } of EVERY_PAGE.filter((page) => page.access === 'sign-in' && page.path !== '/')) {
      const answer = await company.app.request(
        addressOf(routed(path), LATEST),
        token === undefined ? {} : bearer(token),
      );
      expect([path, answer.status]).toEqual([path, 303]);
    }
  });
});
