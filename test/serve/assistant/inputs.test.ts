/** What a model gets wrong is answered by a sentence from which it can do better, and never by a failure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nearNames } from '../../../src/serve/assistant/near-names.ts';
import { type Asking, openAsking } from './questions.ts';

let asking: Asking;
beforeAll(async () => {
  asking = await openAsking({ readToday: async () => '2026-07-15' });
});
afterAll(() => asking.company.close());

it.each([
  [
    'get_roi_summary',
    { window: 'last quarter' },
    'window must be one of 1yr, 3yr, 5yr, all, a fiscal year such as fy2026, or a fiscal quarter such as fy2026-q3. On 2026-07-15, by this account\'s fiscal year, "this quarter" is window=fy2027-q2 (2026-07-01 to 2026-09-30), "last quarter" window=fy2027-q1 (2026-04-01 to 2026-06-30), "this fiscal year" window=fy2027 (2026-04-01 to 2027-03-31), "last fiscal year" window=fy2026 (2025-04-01 to 2026-03-31), and "last month" from=through=2026-06. Call again with one of these.',
  ],
  ['get_roi_summary', { from: 'June' }, 'from must be a month such as 2026-01. On 2026-07-15'],
  [
    'get_roi_summary',
    { window: 'fy2026', through: '2026-01' },
    'window excludes from and through: send either window, or from and through. On 2026-07-15',
  ],
  [
    'get_roi_summary',
    { initiative_id: 'one hundred' },
    'initiative_id: Invalid input: expected number, received string',
  ],
  ['get_roi_summary', { initiative_id: 0 }, 'initiative_id: Too small'],
  ['get_roi_summary', { initiative_id: 1.5 }, 'initiative_id: Invalid input: expected int'],
  ['get_roi_summary', { initiative_id: 2 ** 53 }, 'initiative_id: '],
  ['get_roi_summary', { include_sample: true }, 'Unrecognized key: "include_sample"'],
  ['get_roi_summary', { initiative_id: 999_999 }, 'There is no such record in this account.'],
  ['list_initiatives', { limit: 51 }, 'limit: Too big: expected number to be <=50'],
  ['list_initiatives', { limit: 0 }, 'limit: Too small'],
  ['list_initiatives', { status: 'live' }, 'status: Invalid option: expected one of "not_started"|"active"'],
  ['get_initiative', {}, 'initiative_id: Invalid input: expected number'],
  ['search', { query: 'a' }, 'query: Too small: expected string to have >=2 characters'],
  ['search', { query: '   a   ' }, 'query: Too small'],
  ['search', { query: 'x'.repeat(201) }, 'query: Too big'],
  [
    'search',
    { query: 'quote', types: ['user'] },
    'types.0: Invalid option: expected one of "initiative"|"page"',
  ],
  ['search', { query: 'quote', limit: 5 }, 'Unrecognized key: "limit"'],
  ['list_integrations', { status: 'active' }, 'Unrecognized key: "status"'],
  ['get_help_article', {}, 'Give exactly one of slug and id.'],
  ['get_help_article', { slug: 'roi', id: 1 }, 'Give exactly one of slug and id.'],
  ['get_help_article', { slug: 'no-such-article' }, 'use search with types ["article"] to find one'],
  // PostgreSQL allows no NUL in a text.
  ['get_help_article', { slug: 'a\0b' }, 'use search with types ["article"] to find one'],
  ['get_platform_setup_guide', { platform: '  ' }, 'platform: Too small'],
  ['get_platform_setup_guide', { platform: 'opneai' }, 'the nearest names are OpenAI (openai)'],
  ['get_platform_setup_guide', { platform: 'qqqqqqqq' }, 'use search with types ["platform"] to find one'],
])('%s of %j is refused, and says: %s', async (tool, asked, sentence) => {
  const { isError, text, structured } = await asking.call(tool, asked);
  expect(isError).toBe(true);
  expect(structured).toBeUndefined();
  expect(text).toContain(sentence);
});

it('a tool takes an id as text or as a number', async () => {
  for (const tool of ['get_roi_summary', 'get_initiative']) {
    const [text, number] = [
      await asking.call(tool, { initiative_id: '101' }),
      await asking.call(tool, { initiative_id: 101 }),
    ];
    expect(number.isError).toBe(false);
    expect(text).toEqual(number);
  }
});

it('a window before the year 1, which PostgreSQL does not have, has zeros in every tool', async () => {
  for (const tool of ['get_roi_summary', 'list_initiatives', 'get_ai_spend']) {
    expect([tool, (await asking.call(tool, { window: 'fy1-q1' })).isError]).toEqual([tool, false]);
  }
});

it('a scheduled budget is named with its beginning, and not as a period that ends before it', async () => {
  const { text } = await asking.call('get_initiative', { initiative_id: 117 });
  expect(text).toContain('Budget from 2026-09-01: scheduled, it had not begun on 2026-07-15.');
});

it('an internal error says nothing of the inside', async () => {
  const broken = await openAsking({
    readToday: () => Promise.reject(new Error('relation "secret" is gone')),
  });
  try {
    const { isError, text } = await broken.call('get_roi_summary');
    expect([isError, text]).toEqual([
      true,
      'Internal error. Quote the X-Request-Id of this response to support.',
    ]);
  } finally {
    await broken.company.close();
  }
});

describe('near names', () => {
  const things = ['OpenAI', 'Azure OpenAI', 'Jira', 'SAP'];
  const found = (asked: string): readonly string[] => nearNames(things, (name) => [name], asked);

  it('are those that hold what was asked for, or are held in it', () => {
    expect(found('openai')).toEqual(['OpenAI', 'Azure OpenAI']);
    expect(found('the jira cloud')).toEqual(['Jira']);
  });

  it('are those with at most a third of their letters wrong, nearest first', () => {
    // One letter of six is missing; of four letters one is another, and of three that would be a third as well.
    expect(found('opnai')).toEqual(['OpenAI']);
    expect(found('jera')).toEqual(['Jira']);
    expect(found('sab')).toEqual(['SAP']);
    expect(found('sob')).toEqual([]);
    expect(found('q')).toEqual([]);
  });
});

it('the window of a tool may be written as pages show it', async () => {
  const [asShown, asKey] = await Promise.all(
    ['FY2026', 'fy2026'].map(async (window) => (await asking.call('get_roi_summary', { window })).text),
  );
  expect(asShown).toContain('Net value: ');
  expect(asShown).toContain('Return (ROI): ');
  expect(asShown).toBe(asKey);
});
