/** Prints what the assistant answers to the question of the README; BASE_URL and TOKEN are those of `demo.env`. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { BASE_URL = '', TOKEN = '' } = process.env;
const client = new Client({ name: 'readme', version: '1' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(BASE_URL.replace(/v1$/, 'mcp')), {
    requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
  }),
);
const { content } = await client.callTool({ name: 'get_roi_summary', arguments: { window: 'all' } });
await client.close();
for (const part of content) if (part.type === 'text') process.stdout.write(`${part.text}\n`);
