/** The requests that the article shows for people who call the assistant by hand are whole: nothing else is needed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import { codeBlocks, readArticles } from '../../fixtures/article-claims.ts';
import { type LiveCompany, openLive, tokenOf } from '../live/live-company.ts';

let company: LiveCompany;
beforeAll(async () => {
  company = await openLive('template_company', { readToday: async () => '2026-07-15' });
});
afterAll(() => company.close());

const article = readArticles('articles').find(({ slug }) => slug === 'assistant')?.body ?? '';
const shown = codeBlocks(article, 'sh').filter((block) => block.startsWith('curl'));

/** Sends what the command sends, without one of its headers if one is named. */
async function run(command: string, without?: string): Promise<Response> {
  const headers = [...command.matchAll(/-H (?:"([^"]*)"|'([^']*)')/g)]
    .map(([, double, single]) => (double ?? single ?? '').replace('$TOKEN', tokenOf(1)))
    .map((header) => [header.slice(0, header.indexOf(':')), header.slice(header.indexOf(':') + 2)] as const)
    .filter(([name]) => name !== without);
  const [, body = ''] = /-d '([^']*)'/.exec(command) ?? [];
  expect(command).toContain('"${BASE_URL%/v1}/mcp"');
  const host = { host: 'localhost' };
  return await company.app.request('/mcp', {
    method: 'POST',
    headers: { ...host, ...Object.fromEntries(headers) },
    body,
  });
}

describe('the requests with curl that the article shows', () => {
  it('are answered with every tool, and with the figures of one', async () => {
    expect(shown).toHaveLength(2);
    const [listed = '', called = ''] = await Promise.all(
      shown.map(async (command) => {
        const answer = await run(command);
        expect(answer.status).toBe(200);
        const [, data = ''] = /^data: (.*)$/m.exec(await answer.text()) ?? [];
        return data;
      }),
    );
    const { tools } = (JSON.parse(listed) as { result: { tools: { name: string }[] } }).result;
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect(JSON.parse(called)).toMatchObject({ result: { structuredContent: { currency: 'USD' } } });
  });

  it('are refused without one of their headers, with the status that the article names', async () => {
    const [command = ''] = shown;
    expect((await run(command, 'Accept')).status).toBe(406);
    expect((await run(command, 'Content-Type')).status).toBe(415);
    expect((await run(command, 'Authorization')).status).toBe(401);
  });
});
