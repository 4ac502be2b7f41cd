/** The input of every tool in the keywords that the large models' APIs take: one other keyword ends a whole list. */
import { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import { compactSchema } from '../../../src/serve/assistant/compact-schema.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';

type Schema = Readonly<Record<string, unknown>>;

const TAKEN = [
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'default',
  'minItems',
  'maxItems',
];

async function send(method: string, params: Schema = {}): Promise<unknown> {
  const answer = await fakeApp().app.request('/mcp', {
    method: 'POST',
    headers: {
      host: 'localhost',
      authorization: `Bearer ${TOKENS.personal}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await answer.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}

const listed = z.object({
  result: z.object({
    tools: z.array(z.object({ name: z.string(), inputSchema: z.record(z.string(), z.unknown()) })),
  }),
});
const { tools } = listed.parse(await send('tools/list')).result;

/** A schema and all schemas below it, each with its place. */
function* schemasIn(schema: unknown, place: string): Generator<readonly [place: string, schema: Schema]> {
  if (typeof schema !== 'object' || schema === null) return;
  const own = { ...schema } as Schema;
  yield [place, own];
  yield* schemasIn(own['items'], `${place} []`);
  for (const [name, each] of Object.entries({ ...(own['properties'] as Schema | undefined) })) {
    yield* schemasIn(each, `${place} ${name}`);
  }
}

it.each(tools)('the input of $name keeps to the keywords that every model takes', ({ name, inputSchema }) => {
  for (const [place, schema] of schemasIn(inputSchema, name)) {
    expect([place, Object.keys(schema).filter((keyword) => !TAKEN.includes(keyword))]).toEqual([place, []]);
    expect([place, typeof schema['type']]).toEqual([place, 'string']);
    expect((schema['enum'] as unknown[] | undefined)?.every((each) => typeof each === 'string') ?? true).toBe(
      true,
    );
  }
});

it('all tools are listed', () => {
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
});

it('an id of a record is a whole number from 1', () => {
  const ids = tools.flatMap(({ name, inputSchema }) =>
    [...schemasIn(inputSchema, name)].filter(([place]) => /(?:^| )(?:initiative_)?id$/.test(place)),
  );
  expect(ids.map(([place, { type, minimum }]) => [place, type, minimum])).toEqual([
    ['get_roi_summary initiative_id', 'integer', 1],
    ['get_initiative initiative_id', 'integer', 1],
    ['get_help_article id', 'integer', 1],
    ['explain_change initiative_id', 'integer', 1],
  ]);
});

it.each(tools)('$name refuses an unknown argument all the same', async ({ name }) => {
  const answer = JSON.stringify(await send('tools/call', { name, arguments: { none_such: 1 } }));
  expect(answer).toContain('Unrecognized key');
  expect(answer).toContain('none_such');
});

it('every exclusive limit of a whole number becomes the inclusive limit beside it', () => {
  const schema = compactSchema(
    z.strictObject({ above: z.int().gt(-3).lt(10), part: z.number().gt(0), text: z.iso.date() }),
  );
  expect(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toEqual({
    type: 'object',
    properties: {
      above: { type: 'integer', minimum: -2, maximum: 9 },
      part: { type: 'number' },
      text: { type: 'string', pattern: expect.any(String) },
    },
    required: ['above', 'part', 'text'],
  });
});
