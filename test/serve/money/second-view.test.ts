/** A page that was shown reads no row when it is shown again, also of a snapshot that takes much of the caches. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MEMORY_BUDGET } from '../../../src/cache-budget.ts';
import { countReads } from './count-reads.ts';
import { pageAddresses, serveCompany } from './served-company.ts';

/** The least size of a cache of which the values grow with the rows of a snapshot. */
const GROWS = 16 * 1_048_576;

/** What `open` opens, with caches of the company's size: it has a thousandth of the rows of a large account. */
async function withSmallCaches<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  const budget: Record<string, number> = MEMORY_BUDGET;
  const sizes = { ...MEMORY_BUDGET };
  for (const [name, bytes] of Object.entries(sizes)) {
    if (bytes >= GROWS) budget[name] = Math.ceil(bytes / 1_000);
  }
  try {
    return await open();
  } finally {
    Object.assign(budget, sizes);
  }
}

let company: Awaited<ReturnType<typeof serveCompany>>;
beforeAll(async () => {
  company = await serveCompany();
});
afterAll(() => company?.close());

it('a page that was shown reads no row when it is shown again', async () => {
  const { read, snapshots } = countReads(company.reader);
  const browser = await withSmallCaches(() => company.signedIn(snapshots));
  const again: Record<string, readonly string[]> = {};
  let first = 0;
  for (const address of pageAddresses(company.to)) {
    read.length = 0;
    const response = await browser.send(address);
    const shown = await response.text();
    // A file is sent anew to each reader who asks for it.
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) continue;
    expect([address, response.status]).toEqual([address, 200]);
    first += read.length;
    read.length = 0;
    expect(await browser.page(address)).toBe(shown);
    if (read.length > 0) again[address] = [...read];
  }
  expect(again).toEqual({});
  expect(first).toBeGreaterThan(20);
});

/** The same addresses, each of this snapshot, and another initiative. */
const addressesOf = (id: string) =>
  [...pageAddresses(id), '/initiatives/102'].map((path) =>
    path.startsWith('/snapshots/') ? path : `${path}${path.includes('?') ? '&' : '?'}snapshot=${id}`,
  );

it('a page shows the same, whichever snapshot and initiative were shown before', async () => {
  const { from, to } = company;
  const addresses = [...addressesOf(to), ...addressesOf(from)];
  const shownIn = async (order: readonly string[]) => {
    const browser = await company.signedIn();
    const shown = new Map<string, string>();
    for (const address of order) {
      const response = await browser.send(address);
      // A file that is not read to its end would hold back the next one.
      if (response.headers.get('content-type')?.startsWith('text/html') !== true)
        await response.body?.cancel();
      else shown.set(address, `${response.status} ${await response.text()}`);
    }
    return shown;
  };
  const shown = await shownIn(addresses);
  for (const [address, page] of await shownIn(addresses.toReversed()))
    expect([address, page === shown.get(address)]).toEqual([address, true]);
  const figures = [...shown.values()].filter((page) => page.startsWith('200 '));
  expect(new Set(figures).size).toBeGreaterThan(20);
});
