/** The assistant of a server with `READ_API=snapshots`: which tools it sends to the newest snapshot, and which stay live. */
import { z } from '@hono/zod-openapi';
import type { ClientBase } from 'pg';
import { expect, it } from 'vitest';
import { defineTool, type Tool } from '../../../src/serve/assistant/tool.ts';
import type { FigureParts } from '../../../src/serve/live/figure-moment.ts';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';

const NOTE = 'Reads the ledger now, not the newest snapshot.';
const named = { title: 'A tool', description: 'A tool of this test.' };
const told = z.strictObject({ of: z.string() });
const tell = ({ of }: z.output<typeof told>) => `From ${of}.`;

const tools: readonly Tool[] = [
  defineTool({
    ...named,
    name: 'figures',
    input: z.strictObject({ snapshot: z.string().optional() }),
    output: told,
    answer: async (_parts, { snapshot = 'the ledger' }) => ({ of: snapshot }),
    tell,
  }),
  defineTool({
    ...named,
    name: 'words',
    staysLive: true,
    input: z.strictObject({}),
    output: told,
    answer: async ({ inAccount }, _input, { account_id }) =>
      inAccount({ account_id, timeout_ms: 1 }, async () => ({ of: 'the ledger' })),
    tell,
  }),
  defineTool({
    ...named,
    name: 'rows',
    input: z.strictObject({}),
    output: told,
    answer: async ({ inAccount }, _input, { account_id }) =>
      inAccount({ account_id, timeout_ms: 1 }, async () => ({ of: 'the ledger' })),
    tell,
  }),
];

/** A ledger that may be read: without rows, because no test reads any. */
const NO_CLIENT = {} as ClientBase; // never used
const inAccount: FigureParts['inAccount'] = (_session, run) => run(NO_CLIENT, null);

/** The text that an application answers. */
async function said(app: ReturnType<typeof fakeApp>['app'], method: string, params: object): Promise<string> {
  const response = await app.request('/mcp', {
    method: 'POST',
    headers: {
      ...bearer(TOKENS.personal).headers,
      host: 'localhost',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return await response.text();
}

it('tools answer from the newest snapshot if none is named, and tools without snapshots say that they are live', async () => {
  const { app } = fakeApp({ tools, inAccount, readApi: 'snapshots' });
  const call = (name: string, asked = {}) => said(app, 'tools/call', { name, arguments: asked });
  expect(await call('figures')).toContain('From latest.');
  expect(await call('figures', { snapshot: 'close' })).toContain('From close.');
  expect(await call('words')).toContain(`From the ledger.\\n${NOTE}`);
  // A tool without snapshots that reads the ledger is refused: its figures would be of another moment.
  expect(await call('rows')).toContain('This server answers from snapshots, and rows reads the ledger only.');
  const listed = await said(app, 'tools/list', {});
  expect(listed.split(NOTE)).toHaveLength(2);
});

it('tools answer from the ledger with READ_API=live, and say nothing of snapshots', async () => {
  const { app } = fakeApp({ tools, inAccount });
  for (const name of ['figures', 'rows']) {
    expect(await said(app, 'tools/call', { name, arguments: {} })).toContain('From the ledger.');
  }
  expect(await said(app, 'tools/list', {})).not.toContain(NOTE);
});

it("the list names the account's periods by the newest snapshot, and live tools, without the ledger", async () => {
  const { app, lines } = fakeApp({ readApi: 'snapshots' });
  const listed = await said(app, 'tools/list', {});
  // The fake snapshot is of 2026-11-20, in a fiscal year that begins in January.
  expect(listed).toContain("On 2026-11-20, by this account's fiscal year");
  expect(listed.split(NOTE)).toHaveLength(4);
  expect(lines.filter((line) => line.includes('request.failed'))).toEqual([]);
});
