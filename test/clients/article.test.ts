import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ARTICLE, article, FAILS } from './article.ts';
import { CLIENTS, WAYS } from './snippets.ts';
import { WHOLE_RUNS } from './whole-runs.ts';

const text = readFileSync(new URL(`../../${ARTICLE}`, import.meta.url), 'utf8');
const row = (client: string): readonly string[] => {
  const line = text.split('\n').find((each) => each.startsWith(`| ${client} | `)) ?? '';
  return line.split(' | ').slice(1, 1 + WAYS.length);
};
const outcome = (title: string): string => row(title)[0]?.replace(/ \|$/, '') ?? '';

it('the article is written from the outcomes of the matrix, with every cell run and every snippet unchanged', () => {
  const outcomes = new Map(CLIENTS.map(({ client }) => [client, row(client)]));
  const versions = /Tried with (.*)\.$/m.exec(text)?.[1] ?? '';
  const wholeRuns = new Map(WHOLE_RUNS.map(({ title }) => [title, outcome(title)]));
  expect(text).toBe(article(outcomes, wholeRuns, versions));
});

it('the article shows no client that fails, and names the alternatives for a limited client', () => {
  const failing = CLIENTS.filter(({ client }) =>
    row(client).some((cell) => [FAILS, 'not run'].includes(cell)),
  );
  const failed = WHOLE_RUNS.filter(({ title }) => [FAILS, 'not run', ''].includes(outcome(title)));
  const helpless = CLIENTS.filter(
    ({ client, remark }) => row(client).includes('cannot') && remark === undefined,
  );
  expect([...failing, ...failed, ...helpless]).toEqual([]);
});
