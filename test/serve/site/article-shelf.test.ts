import { beforeEach, expect, it } from 'vitest';
import type { HelpArticle } from '../../../src/ledger/lists/help-articles.ts';
import type { ShownPage } from '../../../src/serve/frame/define-page.ts';
import type { StaticResponse } from '../../../src/serve/http/static-response.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import { type ArticleShelf, openShelf } from '../../../src/serve/site/article-shelf.ts';

const MINUTE_MS = 60_000;

let now: number;
let reads: number;
let answer: () => Promise<readonly HelpArticle[]>;
let shelf: ArticleShelf;
beforeEach(() => {
  [now, reads] = [0, 0];
  answer = async () => [article('first')];
  shelf = openShelf({
    clock: () => now,
    schema: describeTables(),
    read: () => {
      reads += 1;
      return answer();
    },
  });
});

function article(title: string): HelpArticle {
  return { slug: 'one', theme: 'Figures', title, summary: null, body: 'Text.', generated: false };
}
const frame = async ({ body }: ShownPage): Promise<string> => String(await body);
const textOf = (page: StaticResponse | null): string => new TextDecoder().decode(page?.body);

it('the shelf reads once for many requests, and makes a page once', async () => {
  const pages = await Promise.all([
    shelf.article('one', frame),
    shelf.article('one', frame),
    shelf.list(frame),
  ]);
  expect(reads).toBe(1);
  expect(pages[0]).toBe(pages[1]);
});

it('the shelf shows a change within a minute', async () => {
  await shelf.list(frame);
  answer = async () => [article('second')];
  now = MINUTE_MS - 1;
  expect(textOf(await shelf.article('one', frame))).toContain('first');
  now = MINUTE_MS;
  expect(textOf(await shelf.article('one', frame))).toContain('second');
  expect(reads).toBe(2);
});

it('the shelf keeps its articles while the ledger is away, and asks again a minute later', async () => {
  await shelf.list(frame);
  answer = () => Promise.reject(new Error('away'));
  now = MINUTE_MS;
  expect(textOf(await shelf.article('one', frame))).toContain('first');
  expect(textOf(await shelf.list(frame))).toContain('first');
  expect(reads).toBe(2);
  answer = async () => [article('second')];
  now = 2 * MINUTE_MS;
  expect(textOf(await shelf.article('one', frame))).toContain('second');
});

it('the shelf fails when there was never anything to show, and tries again at once', async () => {
  answer = () => Promise.reject(new Error('away'));
  await expect(shelf.list(frame)).rejects.toThrow('away');
  answer = async () => [article('first')];
  expect(textOf(await shelf.list(frame))).toContain('first');
});

it('the shelf keeps pages and hits while the ledger gives the same articles', async () => {
  const [page, hits] = [await shelf.article('one', frame), await shelf.search('text', 'a')];
  now = MINUTE_MS;
  expect(await shelf.article('one', frame)).toBe(page);
  expect(await shelf.search('text', 'a')).toBe(hits);
  expect(reads).toBe(2);
});

it('A-16: the shelf runs one search at a time, of each address in turn, and refuses the tenth of one address', async () => {
  const ended: string[] = [];
  const search = (query: string, from: string) => shelf.search(query, from).then(() => ended.push(query));
  const first = Array.from({ length: 9 }, (_, index) => search(`a${index}`, '192.0.2.1'));
  // The reads before a search take a few turns, so each address is in the list before the first search ends.
  await expect(shelf.search('a9', '192.0.2.1')).rejects.toMatchObject({ status: 429 });
  await search('b', '192.0.2.2');
  expect(ended).toEqual(['a0', 'b']);
  await Promise.all(first);
});
