/** A snapshot is named by its id, as `latest` or by a pin, wherever a request names one. The routes are the application's own. */
import { expect, it } from 'vitest';
import { PAGES } from '../../src/serve/page-routes.ts';
import { OPERATIONS } from './contract/contract-operations.ts';
import { fakeApp, LATEST, TOKENS } from './fake-parts.ts';
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
const FILE = `/v1/reporting/snapshots/${LATEST}/costs.parquet`;

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
  return addressesOf(LATEST)
    .map((byId, index) => ({ byId, byName: names[index] ?? '', unknown: unknown[index] ?? '' }))
    .filter(({ byId }) => byId !== FILE);
};

/** The status of an answer, its snapshot, and its text without seals; the text of pages holds what a request alone has. */
async function read(address: string): Promise<readonly unknown[]> {
  const answer = await ask(address);
  const text = address.startsWith('/v1') && answer.status === 200 ? withoutSeals(await answer.text()) : '';
  return [answer.status, answer.headers.get('x-snapshot-id'), text];
}

it.each([PIN_NAME, 'latest'])('each address answers the same for %s as for the id', async (name) => {
  const answered: string[] = [];
  for (const { byId, byName, unknown } of askedBy(name)) {
    const right = await read(byId);
    expect([byName, await read(byName)]).toEqual([byName, right]);
    if (right[0] === 200) answered.push(unknown);
  }
  expect(answered.length).toBeGreaterThan(25);
  const statuses = await Promise.all(answered.map(async (address) => (await ask(address)).status));
  expect(new Set(statuses)).toEqual(new Set([404]));
});

it('the file of a table takes an id alone, because the contract promises ranges of it', async () => {
  expect((await ask(FILE)).status).toBe(200);
  const named = await ask(FILE.replace(LATEST, PIN_NAME));
  expect(named.status).toBe(404);
  // Ranges of a name could be of two snapshots.
  expect(await named.text()).toContain(`needs the id of its snapshot: ${PIN_NAME} is ${LATEST} now.`);
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
