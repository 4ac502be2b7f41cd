/** Messages to the assistant, made from what its tools say they take. */
import { z } from 'zod';
import type { Asked, Known } from './described-requests.ts';
import { oddText, plainValue } from './odd-values.ts';
import type { Seeded } from './seeded.ts';

const value = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
});
const tool = z.object({
  name: z.string(),
  inputSchema: z.looseObject({ properties: z.record(z.string(), value).default({}) }),
});
const listed = z.object({ result: z.object({ tools: z.array(tool) }) });

type Tool = z.infer<typeof tool>;

/** What `tools/list` answered: one event, or plain JSON. */
export function toolsOf(answer: string): readonly Tool[] {
  const [, event = answer] = /^data: (.*)$/m.exec(answer) ?? [];
  return listed.parse(JSON.parse(event)).result.tools;
}

/** The message that asks for the tools. */
export function listTools({ tokens: [personal] }: Known): Asked {
  return post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, `Authorization: Bearer ${personal}\r\n`);
}

/** One message, most of them calls of a tool. */
export function assistantRequest(tools: readonly Tool[], { tokens }: Known, seed: Seeded): Asked {
  const token = seed.percent(95) ? tokens[0] : seed.pick([...tokens, 'none']);
  const method = seed.percent(90)
    ? 'tools/call'
    : seed.pick(['tools/list', 'ping', 'initialize', oddText(seed)]);
  const called = tools[seed.below(tools.length)];
  const message = {
    jsonrpc: seed.percent(98) ? '2.0' : oddText(seed),
    id: seed.percent(95) ? seed.below(1_000) : oddText(seed),
    method,
    params: { name: seed.percent(97) ? called?.name : oddText(seed), arguments: argumentsFor(called, seed) },
  };
  const odd = seed.percent(2) ? 'Origin: https://evil.example\r\n' : '';
  return post(seed.percent(2) ? [message] : message, `Authorization: Bearer ${token}\r\n${odd}`);
}

function argumentsFor(called: Tool | undefined, seed: Seeded): unknown {
  if (seed.percent(2)) return oddText(seed);
  const properties = Object.entries(called?.inputSchema.properties ?? {});
  const chosen = properties
    .filter(() => seed.percent(60))
    .map(([name, kind]) => [name, seed.percent(8) ? oddText(seed) : plainValue(kind, seed)]);
  return Object.fromEntries([...chosen, ...(seed.percent(3) ? [[oddText(seed), 1]] : [])]);
}

function post(message: unknown, headers: string): Asked {
  const body = JSON.stringify(message);
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const types = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
  const bytes = `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${types}${headers}${length}\r\n${body}`;
  // Sent as Latin-1, so that raw requests may hold any byte: what is more is written as its UTF-8.
  return { method: 'POST', path: '/mcp', bytes: Buffer.from(bytes).toString('latin1') };
}
