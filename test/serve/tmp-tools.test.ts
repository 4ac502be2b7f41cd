import { writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { fakeApp, TOKENS } from './fake-parts.ts';
it('x', async () => {
  const { app } = fakeApp();
  const r = await app.request('/mcp', { method: 'POST', headers: { authorization: `Bearer ${TOKENS.personal}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream', host: 'api.example.com' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) });
  const t = await r.text();
  const j = JSON.parse(/^data: (.*)$/m.exec(t)?.[1] ?? t);
  writeFileSync('/tmp/cf/server/gem/tools.json', JSON.stringify(j.result.tools));
});
