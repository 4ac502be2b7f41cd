/** HEAD of every route, again and again: it answers like GET, and leaves no stream open and no slot taken. */
import { expect, it } from 'vitest';
import { bearer, fakeApp, FakeSnapshots, LATEST, TOKENS } from './fake-parts.ts';
import { openBrowser } from './pages/browser.ts';
import { addressOf, pathsOf } from './route-addresses.ts';

/** The maximum of concurrent CSV files is two; so many HEADs would take every slot. */
const TIMES = 3;

/** Snapshots that count the streams that are neither read to their end nor cancelled. */
class WatchedSnapshots extends FakeSnapshots {
  readonly open = new Set<string>();
  #streams = 0;

  override async openCsv(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return this.#watched('CSV', await super.openCsv());
  }

  override async openTable(...args: Parameters<FakeSnapshots['openTable']>) {
    return this.#watched('table', await super.openTable(...args));
  }

  #watched(what: string, source: ReadableStream<Uint8Array<ArrayBuffer>>) {
    const name = `${what} ${(this.#streams += 1)}`;
    this.open.add(name);
    const reader = source.getReader();
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          this.open.delete(name);
          controller.close();
        },
        cancel: async (reason) => {
          this.open.delete(name);
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }
}

const snapshots = new WatchedSnapshots();
const { app } = fakeApp({ snapshots });
const browser = openBrowser(app);
await browser.signIn(TOKENS.personal);

const ADDRESSES = [
  ...new Set(
    pathsOf(app).flatMap((path) => [
      addressOf(path, LATEST),
      addressOf(path, LATEST, { name: 'costs.parquet', table: 'costs', grant: 'none' }),
    ]),
  ),
];

/** Asks as a browser that is signed in and sends the token too. */
function ask(path: string, method: 'GET' | 'HEAD'): Promise<Response> {
  return browser.send(path, { method, ...(path.startsWith('/links/') ? {} : bearer(TOKENS.personal)) });
}

it('three HEAD requests of every route leave no stream open, and GET still answers', async () => {
  const [unended, refused]: [string[], string[]] = [[], []];
  const files: string[] = [];
  for (const address of ADDRESSES) {
    const first = await ask(address, 'GET');
    await first.arrayBuffer();
    expect([address, ...snapshots.open]).toEqual([address]);
    for (let time = 0; time < TIMES; time += 1) {
      const head = await ask(address, 'HEAD');
      expect([address, await head.text()]).toEqual([address, '']);
      if (head.status !== first.status) refused.push(`HEAD ${address}: ${head.status}, not ${first.status}`);
    }
    if (snapshots.open.size > 0) unended.push(address);
    snapshots.open.clear();
    const again = await ask(address, 'GET');
    await again.arrayBuffer();
    if (again.status !== first.status) refused.push(`GET ${address}: ${again.status}, not ${first.status}`);
    if (/parquet|csv/.test(first.headers.get('content-type') ?? '')) files.push(address);
  }
  expect(files.length).toBe(12);
  expect({ unended, refused }).toEqual({ unended: [], refused: [] });
});
