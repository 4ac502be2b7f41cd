import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { REASON_NAMES } from '../../src/diff/reasons.ts';
import { describeApi } from '../../src/serve/api-document.ts';

const article = readFileSync(new URL('../../docs/articles/what-changed.md', import.meta.url), 'utf8');

it('the article about changes lists the reasons in the order in which they are tried', () => {
  const listed = [...article.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(REASON_NAMES);
});

it('the contract names them in that order, each with what it says', () => {
  const { description = '' } =
    describeApi('https://api.example.com/v1').components?.schemas?.['DiffReason'] ?? {};
  const places = REASON_NAMES.map((name) => description.indexOf(`\`${name}\`: `));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
