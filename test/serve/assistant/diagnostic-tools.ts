/** Tools that the official conformance suite calls by name, to look at the protocol through them. Never served. */
import {
  completable,
  inputRequired,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
  type ToolCallback,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../../../src/serve/assistant/tool.ts';

/** A tool without parameters. */
function diagnostic(name: string, answer: ToolCallback): Tool {
  return {
    name,
    register: (server) => void server.registerTool(name, { description: 'A diagnostic.' }, answer),
  };
}

const text = (words: string) => ({ type: 'text' as const, text: words });
// The shortest content of each kind that can be decoded: no test looks at it.
const IMAGE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
const AUDIO = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } as const;
const RESOURCE = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' },
} as const;

const asked = (...content: readonly Record<string, unknown>[]) => ({
  messages: content.map((each) => ({ role: 'user' as const, content: each as typeof IMAGE })),
});

const contents = (uri: URL, words: string) => ({
  contents: [{ uri: uri.href, mimeType: 'text/plain', text: words }],
});

/** Prompts and resources that the suite asks for by name, registered as tools are. */
function registerOthers(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A diagnostic.' }, () =>
    asked(text('This is a simple prompt for testing.')),
  );
  const two = z.object({ arg1: completable(z.string(), (begun) => [`${begun}ing`]), arg2: z.string() });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'A diagnostic.', argsSchema: two },
    ({ arg1, arg2 }) => asked(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const one = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A diagnostic.', argsSchema: one },
    ({ resourceUri: uri }) =>
      asked({ ...RESOURCE, resource: { ...RESOURCE.resource, uri } }, text('Please process it.')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A diagnostic.' }, () =>
    asked(IMAGE, text('Please analyze the image.')),
  );
  server.registerResource('static-text', 'test://static-text', {}, (uri) =>
    contents(uri, 'This is the content of the static text resource.'),
  );
  server.registerResource('static-binary', 'test://static-binary', {}, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: IMAGE.data }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, (uri, { id }) =>
    contents(uri, JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` })),
  );
}

/** What the suite expects of each stands in its scenarios. */
export const DIAGNOSTIC_TOOLS: readonly Tool[] = [
  { name: 'prompts and resources', register: registerOthers },
  diagnostic('test_simple_text', async () => ({
    content: [text('This is a simple text response for testing.')],
  })),
  diagnostic('test_image_content', async () => ({ content: [IMAGE] })),
  diagnostic('test_audio_content', async () => ({ content: [AUDIO] })),
  diagnostic('test_embedded_resource', async () => ({ content: [RESOURCE] })),
  diagnostic('test_multiple_content_types', async () => ({ content: [text('Mixed:'), IMAGE, RESOURCE] })),
  diagnostic('test_error_handling', async () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  })),
  diagnostic('test_tool_with_progress', async (context: ServerContext) => {
    const { _meta: meta } = context.mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken !== undefined) {
      for (const progress of [0, 50, 100]) {
        const params = { progressToken, progress, total: 100 };
        await context.mcpReq.notify({ method: 'notifications/progress', params });
      }
    }
    return { content: [text('done')] };
  }),
  diagnostic('test_logging_tool', async (context: ServerContext) => {
    await context.mcpReq.log('info', 'logged');
    return { content: [text('done')] };
  }),
  diagnostic('test_streaming_elicitation', async () => {
    const requestedSchema = z.object({ confirmed: z.boolean() });
    const confirmation = inputRequired.elicit({ message: 'Well?', requestedSchema });
    return inputRequired({ inputRequests: { confirmation } });
  }),
  diagnostic('test_missing_capability', async () => {
    const messages = [{ role: 'user' as const, content: text('Well?') }];
    return inputRequired({
      inputRequests: { sample: inputRequired.createMessage({ maxTokens: 10, messages }) },
    });
  }),
];
