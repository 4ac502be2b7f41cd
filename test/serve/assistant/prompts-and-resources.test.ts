/** Prompts, resources, the metadata for clients without a token, and refusals of the protocol in words. */
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';

const ARTICLE = {
  slug: 'roi',
  theme: null,
  title: 'ROI',
  summary: 'What it is',
  body: 'Net ÷ cost.',
  generated: false,
};
const { app } = fakeApp({
  articles: async () => [
    ARTICLE,
    { ...ARTICLE, slug: 'glossary', title: 'Glossary', summary: null, body: '| word | meaning |' },
    { ...ARTICLE, slug: 'table-costs', generated: true },
  ],
});

interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

async function send(method: string, params?: unknown): Promise<Answer> {
  const response = await app.request('/mcp', {
    method: 'POST',
    headers: {
      host: 'localhost',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...bearer(TOKENS.personal).headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = await response.text();
  const [, data = body] = /^data: (.*)$/m.exec(body) ?? [];
  return JSON.parse(data) as Answer; // of JSON-RPC
}

/** The text of a prompt. */
async function prompt(name: string, given: Record<string, string> = {}): Promise<string> {
  const { result, error } = await send('prompts/get', { name, arguments: given });
  if (result === undefined) throw new Error(error?.message);
  const { messages } = result as { messages: { content: { text: string } }[] };
  return messages.map(({ content }) => content.text).join('');
}

describe('prompts', () => {
  it('are three, and name only tools that there are', async () => {
    const { result } = await send('prompts/list');
    const { prompts } = result as { prompts: { name: string; description: string }[] };
    expect(prompts.map(({ name }) => name)).toEqual([
      'monthly_review',
      'board_question',
      'why_not_yesterday',
    ]);
    const texts = [
      await prompt('monthly_review', { month: '2026-06' }),
      await prompt('board_question', { question: 'What did AI cost us?' }),
      await prompt('why_not_yesterday', { initiative_id: '101' }),
    ];
    const named = new Set(texts.join(' ').match(/\b(?:get|list|explain)_\w+/g));
    expect(named.size).toBeGreaterThan(4);
    for (const name of named) expect(TOOLS.map((tool) => tool.name)).toContain(name);
    for (const text of texts) expect(text).toContain('Never add freed capacity to cash value.');
  });

  it('take their arguments, and refuse a month in words', async () => {
    expect(await prompt('monthly_review', { month: '2026-06' })).toContain('for 2026-06.');
    expect(await prompt('monthly_review')).toContain('for the last complete month');
    expect(await prompt('board_question', { question: 'Why "now"?' })).toContain(String.raw`"Why \"now\"?"`);
    expect(await prompt('why_not_yesterday')).toContain('the totals of our portfolio');
    const { error } = await send('prompts/get', { name: 'monthly_review', arguments: { month: 'June' } });
    expect(error).toEqual({ code: -32_602, message: 'month must be a month such as 2026-01.' });
  });
});

describe('resources', () => {
  it('are the schema, the glossary and the articles that people read', async () => {
    const { result } = await send('resources/list');
    const { resources } = result as { resources: { uri: string; title: string }[] };
    expect(resources.map(({ uri }) => uri)).toEqual([
      'crossfoot://schema',
      'crossfoot://glossary',
      'crossfoot://articles/roi',
      'crossfoot://articles/glossary',
    ]);
    expect(resources[2]).toMatchObject({
      title: 'ROI',
      description: 'What it is',
      mimeType: 'text/markdown',
    });
  });

  it.each([
    ['crossfoot://schema', 'application/json', '{"version":"v1","tables":[]}'],
    ['crossfoot://glossary', 'text/markdown', '# Glossary\n\n| word | meaning |'],
    ['crossfoot://articles/roi', 'text/markdown', '# ROI\n\nNet ÷ cost.'],
  ])('%s is read as %s', async (uri, mimeType, text) => {
    const { result } = await send('resources/read', { uri });
    expect(result?.['contents']).toEqual([{ uri, mimeType, text }]);
  });

  it('complete the name of an article that is begun, and name no page that is generated', async () => {
    const completed: unknown[] = [];
    for (const value of ['glo', '', 'table']) {
      const ref = { type: 'ref/resource', uri: 'crossfoot://articles/{slug}' };
      const { result } = await send('completion/complete', { ref, argument: { name: 'slug', value } });
      completed.push(result?.['completion']);
    }
    expect(completed).toMatchObject([
      { values: ['glossary'] },
      { values: ['roi', 'glossary'] },
      { values: [] },
    ]);
  });

  it.each([
    'crossfoot://articles/none',
    'crossfoot://articles/table-costs',
    'crossfoot://other',
    'file:///etc/passwd',
  ])('%s is not found', async (uri) => {
    const { result, error } = await send('resources/read', { uri });
    expect([result, error?.message.includes('not found')]).toEqual([undefined, true]);
  });
});

describe('a client without a token', () => {
  it('is led to metadata that names no authorization server, so that it tries no sign-in', async () => {
    const refused = await app.request('/mcp', { method: 'POST', headers: { host: 'localhost' } });
    const url = 'https://api.example.com/.well-known/oauth-protected-resource/mcp';
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="crossfoot", resource_metadata="${url}"`,
    ]);
    const metadata = await app.request(new URL(url).pathname);
    expect([metadata.status, metadata.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
    expect(await metadata.json()).toEqual({
      resource: 'https://api.example.com/mcp',
      bearer_methods_supported: ['header'],
      resource_name: 'Crossfoot',
      resource_documentation: 'https://api.example.com/docs/assistant',
    });
    expect((await app.request('/.well-known/oauth-authorization-server')).status).toBe(404);
  });
});

describe('a message that the protocol does not know', () => {
  it.each([
    [
      'tools/call',
      { name: 'delete_initiative' },
      `There is no tool of that name; the tools are get_roi_summary, `,
    ],
    ['tools/call', { name: 'constructor' }, 'There is no tool of that name; the tools are '],
    ['initialize', undefined, 'initialize: params is missing or of the wrong type.'],
    ['prompts/get', {}, 'prompts/get: params.name is missing or of the wrong type.'],
    ['resources/read', { uri: 5 }, 'resources/read: params.uri is missing or of the wrong type.'],
  ])('of %s with %j is refused in words', async (method, params, words) => {
    const { error } = await send(method, params);
    expect(error?.code).toBe(-32_602);
    expect(error?.message).toContain(words);
  });
});
