/** A snapshot is named by its id or by a pin, wherever a request names one. The routes are the application's own. */
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

/** The one address that takes an id alone. */
const FILE = `/v1/reporting/snapshots/${EARLIER}/costs.parquet`;

/** Links and form tokens are sealed anew for each request. */
const withoutSeals = (text: string): string =>
  text.replaceAll(/\/links\/[^/]+/g, '/links/…').replaceAll(/name="form_token" value="[^"]*"/g, '');

interface Asked {
  readonly byId: string;
  readonly byName: string;
  readonly unknown: string;
}

/** Each address by id, by the name and by the name of no pin; `FILE` is left out. */
const askedBy = (name: string): readonly Asked[] => {
  const [names, unknown] = [addressesOf(name), addressesOf('no-such-pin')];
  return addressesOf(EARLIER)
    .map((byId, index) => ({ byId, byName: names[index] ?? '', unknown: unknown[index] ?? '' }))
    .filter(({ byId }) => byId !== FILE);
};

/** The snapshot that a page names in its bar. */
const ON_PAGE = /<b data-copy="the snapshot id">([^<]+)</;

/**
 * The status of an answer, its snapshot, and its text without seals. Of a page it is the snapshot alone, because its text has what
 * only one request has. A page that must keep its snapshot leads to its address by id.
 */
async function read(address: string): Promise<readonly unknown[]> {
  let answer = await ask(address);
  const location = answer.headers.get('location');
  if (answer.status === 303 && location !== null) {
    const { pathname, search } = new URL(location, new URL(address, 'http://localhost'));
    answer = await ask(pathname + search);
  }
  const text = answer.status === 200 ? await answer.text() : '';
  const shown = address.startsWith('/v1') ? withoutSeals(text) : ON_PAGE.exec(text)?.[1];
  return [answer.status, answer.headers.get('x-snapshot-id'), shown];
}

it('each address answers the same for a pin as for the id', async () => {
  const [answered, pages]: [string[], string[]] = [[], []];
  for (const { byId, byName, unknown } of askedBy(PIN_NAME)) {
    const right = await read(byId);
    expect([byName, await read(byName)]).toEqual([byName, right]);
    if (right[0] === 200) answered.push(unknown);
    if (right[2] === EARLIER) pages.push(byId);
  }
  // Pages of a snapshot, of the figures of one, and of rows name it in their bar.
  expect(pages.length).toBeGreaterThan(7);
  expect(answered.length).toBeGreaterThan(25);
  const statuses = await Promise.all(answered.map(async (address) => (await read(address))[0]));
  expect(new Set(statuses)).toEqual(new Set([404]));
});

it('the file of a table takes an id alone, because the contract promises its ranges', async () => {
  expect((await ask(FILE)).status).toBe(200);
  const named = await ask(FILE.replace(EARLIER, PIN_NAME));
  expect(named.status).toBe(404);
  // Ranges of a name could be of two snapshots.
  expect(await named.text()).toContain(`needs the id of its snapshot: ${PIN_NAME} is ${EARLIER} now.`);
});

it('an answer by a pin names the address by id, and no cache keeps it without asking again', async () => {
  const reporting = askedBy(PIN_NAME).filter(({ byId }) => /^\/v1\/[^?]+$/.test(byId));
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
});

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
