import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { guardPage, PAGE_SOURCES, pagePolicy } from '../../../src/serve/frame/page-guard.ts';

type Forms = Parameters<typeof pagePolicy>[1]['forms'];

async function headersOf(forms: Forms | null, own?: string): Promise<readonly (string | null)[]> {
  const app = new Hono();
  app.use(forms === null ? guardPage(PAGE_SOURCES) : guardPage(PAGE_SOURCES, { forms }));
  app.get('/', (c) => c.text('a page', 200, own === undefined ? {} : { 'content-security-policy': own }));
  const { headers } = await app.request('/');
  return [headers.get('content-security-policy'), headers.get('referrer-policy')];
}

it('a page loads what it names from this server alone, sends no form, lets no page frame it and sends no referrer', async () => {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  expect(await headersOf(false)).toEqual([policy, 'no-referrer']);
  expect(await headersOf(null)).toEqual([policy, 'no-referrer']);
  expect(pagePolicy([], { forms: false })).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
});

it('a page with forms sends them to this server alone, which sees from which page of its own', async () => {
  const [policy, referrer] = await headersOf('sent');
  expect(policy).toContain("; form-action 'self'; frame-ancestors 'none'");
  expect(referrer).toBe('same-origin');
  // A search opens an address, so its server checks no origin.
  expect(await headersOf('search')).toEqual([policy, 'no-referrer']);
});

it('a page that states a policy of its own keeps it', async () => {
  expect(await headersOf('sent', "default-src 'self'")).toEqual(["default-src 'self'", null]);
});
