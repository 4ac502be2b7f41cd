/** A snapshot is named by its id, as the newest, or by a pin, wherever a request names one. The routes are the application's own. */
import { expect, it } from 'vitest';
import { PAGES } from '../../src/serve/page-routes.ts';
import { OPERATIONS } from './contract/contract-operations.ts';
import { EARLIER, fakeApp, LATEST, TOKENS } from './fake-parts.ts';
import { openBrowser } from './pages/browser.ts';
import { PIN_NAME, PinnedSnapshots } from './pinned-snapshots.ts';
import { addressOf, pathsOf } from './route-addresses.ts';

const { app } = fakeApp({ snapshots: new PinnedSnapshots() });
const browser = openBrowser(app);
await browser.signIn(TOKENS.personal);

const ask = (path: string): Promise<Response> =>
  browser.send(path, { headers: { authorization: `Bearer ${TOKENS.personal}` } });

/** Each address that names a snapshot, with that name in it. */
const addressesOf = (name: string): readonly string[] => [
  ...pathsOf(app)
    .filter((path) => /:(snapshot_id|from|to)\b/.test(path))
    .map((path) => addressOf(path, name)),
  ...PAGES.flatMap(({ path, query }) =>
    ['snapshot', 'from']
      .filter((parameter) => query?.includes(parameter))
      .map(
        (parameter) =>
          `${path.replaceAll(/\{\w*id\}/g, path.includes('snapshots') ? LATEST : '101')}?${parameter}=${name}`,
      ),
  ),
  ...OPERATIONS.filter(({ query }) => query.some((each) => each.name === 'snapshot_id')).map(
    ({ asked }) => `${asked}?snapshot_id=${name}`,
  ),
];

/** Each kind of name beside an id, with the snapshot that it means. */
const NAMES = [
  [PIN_NAME, EARLIER],
  ['latest', LATEST],
  ['newest', LATEST],
] as const;

/** The one address that takes an id alone. */
const fileOf = (name: string): string => `/v1/reporting/snapshots/${name}/costs.parquet`;

/** Links and form tokens are sealed anew for each request. */
const withoutSeals = (text: string): string =>
  text.replaceAll(/\/links\/[^/]+/g, '/links/…').replaceAll(/name="form_token" value="[^"]*"/g, '');

interface Asked {
  readonly byId: string;
  readonly byName: string;
  readonly unknown: string;
}

/** Each address by id, by the name and by the name of no pin; the address that takes an id alone is left out. */
const askedBy = (name: string, id: string): readonly Asked[] => {
  const [names, unknown] = [addressesOf(name), addressesOf('no-such-pin')];
  return addressesOf(id)
    .map((byId, index) => ({ byId, byName: names[index] ?? '', unknown: unknown[index] ?? '' }))
    .filter(({ byId }) => byId !== fileOf(id));
};

/** The snapshot that a page names in its bar. */
const ON_PAGE = /<b data-copy="the snapshot id">([^<]+)</;

/** The answer at the address to which another may lead. */
async function follow(address: string): Promise<Response> {
  const answer = await ask(address);
  const location = answer.headers.get('location');
  if (answer.status !== 303 || location === null) return answer;
  const { pathname, search } = new URL(location, new URL(address, 'http://localhost'));
  return await ask(pathname + search);
}

/**
 * The status of an answer, its snapshot, and its text without seals. Of a page it is the snapshot alone, because its text has what
 * only one request has. A page that must keep its snapshot leads to its address by id.
 */
async function read(address: string): Promise<readonly unknown[]> {
  const answer = await follow(address);
  const text = answer.status === 200 ? await answer.text() : '';
  const shown = address.startsWith('/v1') ? withoutSeals(text) : ON_PAGE.exec(text)?.[1];
  return [answer.status, answer.headers.get('x-snapshot-id'), shown];
}

it.each(NAMES)('each address answers the same for the name %s as for the id %s', async (name, id) => {
  const [answered, pages]: [string[], string[]] = [[], []];
  for (const { byId, byName, unknown } of askedBy(name, id)) {
    const right = await read(byId);
    expect([byName, await read(byName)]).toEqual([byName, right]);
    if (right[0] === 200) answered.push(unknown);
    if (right[2] === id) pages.push(byId);
  }
  // Pages of a snapshot, of the figures of one, and of rows name it in their bar.
  expect(pages.length).toBeGreaterThan(7);
  expect(answered.length).toBeGreaterThan(25);
  for (const address of answered) {
    const refused = await follow(address);
    expect([address, refused.status]).toEqual([address, 404]);
    expect(await refused.text()).toContain('write its id, latest, or the name of a pin that has not ended.');
  }
});

it.each(NAMES)(
  'the file of a table is refused for the name %s, with the id %s to write',
  async (name, id) => {
    expect((await ask(fileOf(id))).status).toBe(200);
    const named = await ask(fileOf(name));
    expect(named.status).toBe(404);
    // The contract promises ranges here, and ranges of a name could be of two snapshots.
    const text = await named.text();
    expect(text).toContain(`because all ranges must be of one file: write ${id} in place of ${name}`);
    expect(text.includes('or read /v1/reporting/latest.')).toBe(id === LATEST);
  },
);

it.each(NAMES)(
  'an answer by the name %s gives the address by the id %s, and is cached nowhere',
  async (name, id) => {
    const reporting = askedBy(name, id).filter(({ byId }) => /^\/v1\/[^?]+$/.test(byId));
    const answers = await Promise.all(
      reporting.map(async ({ byId, byName }) => ({ byId, named: await ask(byName), own: await ask(byId) })),
    );
    const right = answers.filter(({ own }) => own.status === 200);
    expect(right.length).toBeGreaterThan(8);
    for (const { byId, named, own } of right) {
      expect(named.headers.get('content-location')).toBe(byId);
      expect(named.headers.get('cache-control')).toMatch(/no-cache|no-store/);
      expect(own.headers.get('content-location')).toBeNull();
    }
  },
);

/** The address that the answer names for itself; no stream of a file stays open. */
async function locationOf(address: string): Promise<string | null> {
  const answer = await browser.send(address, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${TOKENS.personal}` },
  });
  return answer.headers.get('content-location');
}

const csv = (name: string): string => `/v1/reporting/snapshots/${name}/costs.csv?spreadsheet=true`;

it('the address by id keeps the query, and the contract promises a pin only where it is taken', async () => {
  expect(await locationOf(csv(PIN_NAME))).toBe(csv(EARLIER));
  expect(await locationOf('/v1/reporting/latest/costs.csv?spreadsheet=true')).toBe(csv(LATEST));
  const described = OPERATIONS.flatMap(({ path, parameters }) =>
    parameters.flatMap(({ name, description = '' }) =>
      name === 'snapshot_id' && path.includes('{snapshot_id}')
        ? [{ path, pin: /\bpin\b/.test(description) }]
        : [],
    ),
  );
  expect(described.filter(({ pin }) => !pin).map(({ path }) => path)).toEqual([
    '/reporting/snapshots/{snapshot_id}/{table}.parquet',
  ]);
});

it.each([`/snapshots/${PIN_NAME}/prove`, `/snapshots/${PIN_NAME}/tables/costs?sort=amount_cents`])(
  'the page %s leads to its address by id, so that all that it loads is of one snapshot',
  async (address) => {
    const answer = await ask(address);
    const { pathname, search } = new URL(answer.headers.get('location') ?? '', `http://localhost${address}`);
    expect([answer.status, pathname + search]).toEqual([303, address.replace(PIN_NAME, EARLIER)]);
  },
);
