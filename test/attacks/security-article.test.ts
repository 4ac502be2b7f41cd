/** The page about security says what the program does. */
import { expect, it } from 'vitest';
import { TOKEN_PATTERN } from '../../src/serve/auth/token.ts';
import { codeBlocks, readArticles } from '../fixtures/article-claims.ts';
import { fakeApp } from '../serve/fake-parts.ts';

const article = readArticles('articles').find(({ slug }) => slug === 'security')?.body ?? '';

it('A-10: the article gives scanners the very expression that finds our tokens', () => {
  const [rules = ''] = codeBlocks(article, 'yaml');
  expect(/regex: '(.*)'/.exec(rules)?.[1]).toBe(TOKEN_PATTERN.source);
});

it('the article names every role that the ledger has', () => {
  const named = new Set(article.match(/\bcf_(?!pat_|rpt_)[a-z]+/g));
  expect([...named].toSorted()).toEqual(['cf_backup', 'cf_owner', 'cf_reader', 'cf_service', 'cf_writer']);
});

it('A-28: promises headers that are there', async () => {
  const { headers } = await fakeApp().app.request('/docs');
  const policy = headers.get('content-security-policy') ?? '';
  expect(article).toContain("`default-src 'none'`");
  expect(policy.startsWith("default-src 'none'")).toBe(true);
  expect(policy.endsWith("frame-ancestors 'none'")).toBe(true);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});
