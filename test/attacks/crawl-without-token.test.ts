/** What a stranger finds who follows every address that any answer names. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHelpArticles } from '../../src/ledger/lists/help-articles.ts';
import { type LiveCompany, openLive } from '../serve/live/live-company.ts';

const STARTS = [
  '/',
  '/docs',
  '/docs/api',
  '/v1/openapi.json',
  '/v1/reporting/schema.json',
  '/healthz',
  '/readyz',
  '/pull.mjs',
  '/pull.py',
];
const CANARY = 'canary-of-an-account';
/** What only an account has: the contract shows the fixture company as its example, but not these words. */
const PLANTED = `
  update ledger.initiatives set title = title || ' ${CANARY}';
  update ledger.users set name = name || ' ${CANARY}';
  update ledger.metrics set name = name || ' ${CANARY}'`;

let company: LiveCompany;
beforeAll(async () => {
  company = await openLive('template_company', {
    articles: () => readHelpArticles(company.database.pool('cf_reader', 1)),
  });
});
afterAll(() => company.close());

it('A-41: a client without a token finds documentation, contract and health, and nothing of any account', async () => {
  const owner = await company.database.client('cf_owner');
  await owner.query(PLANTED);
  const seen = new Map<string, number>();
  const leaks: string[] = [];
  const waiting = [...STARTS];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    const response = await company.app.request(at);
    seen.set(at, response.status);
    const text = await response.text();
    const sent = response.headers.get('location');
    if (sent !== null) waiting.push(new URL(sent, `http://x${at}`).pathname);
    if (response.status !== 200) continue;
    if (text.includes(CANARY)) leaks.push(at);
    waiting.push(...addressesIn(text, at));
  }
  expect([...seen].filter(([, status]) => status === 200).length).toBeGreaterThan(30);
  // 303: a person is sent to sign in. 308: /docs/ is /docs. 403: the assistant wants to be asked for by its own name,
  // and only then a token.
  expect(new Set(seen.values())).toEqual(new Set([200, 303, 308, 401, 403, 404]));
  expect(seen.get('/')).toBe(200);
  expect(leaks).toEqual([]);
});

/** Every path that a page links to or names, below the address it was found at. */
function addressesIn(text: string, from: string): string[] {
  const linked = [...text.matchAll(/(?:href|src)="([^"#?]+)/g)].map(([, to = '']) => to);
  const named = [...text.matchAll(/(?<![\w.])\/(?:v1|docs|links|mcp|metrics|healthz|readyz)[\w./-]*/g)].map(
    ([to]) => to,
  );
  return [...linked, ...named]
    .map((to) => new URL(to, `http://x${from}`))
    .filter(({ host }) => host === 'x')
    .map(({ pathname }) => pathname);
}
