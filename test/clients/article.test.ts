import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ARTICLE, article } from './article.ts';
import { CLIENTS, WAYS } from './snippets.ts';

const text = readFileSync(new URL(`../../${ARTICLE}`, import.meta.url), 'utf8');
const row = (client: string): readonly string[] => {
  const line = text.split('\n').find((each) => each.startsWith(`| ${client} | `)) ?? '';
  return line.split(' | ').slice(1, 1 + WAYS.length);
};

it('is what the matrix wrote for the snippets as they are, with every cell run', () => {
  const outcomes = new Map(CLIENTS.map(({ client }) => [client, row(client)]));
  const versions = /Tried with (.*)\.$/m.exec(text)?.[1] ?? '';
  expect(text).toBe(article(outcomes, versions));
});

it('shows no client that fails, and names the alternatives for a limited client', () => {
  const failing = CLIENTS.filter(({ client }) => row(client).includes('FAILS'));
  const helpless = CLIENTS.filter(
    ({ client, remark }) => row(client).includes('cannot') && remark === undefined,
  );
  expect([...failing, ...helpless]).toEqual([]);
});
