/** Tools that the official conformance suite calls by name, to look at the protocol through them. Never served. */
import { inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../../../src/serve/assistant/tool.ts';

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** What the suite expects of each stands in its scenarios. */
export const DIAGNOSTIC_TOOLS: readonly Tool[] = [
  {
    name: 'test_simple_text',
    register: (server) =>
      void server.registerTool('test_simple_text', { description: 'Says something.' }, async () =>
        say('This is a simple text response for testing.'),
      ),
  },
  {
    name: 'test_error_handling',
    register: (server) =>
      void server.registerTool('test_error_handling', { description: 'Fails.' }, async () => ({
        ...say('This tool intentionally returns an error for testing'),
        isError: true,
      })),
  },
  {
    name: 'test_logging_tool',
    register: (server) =>
      void server.registerTool('test_logging_tool', { description: 'Logs.' }, async (context) => {
        await context.mcpReq.log('info', 'logged');
        return say('done');
      }),
  },
  {
    name: 'test_streaming_elicitation',
    register: (server) =>
      void server.registerTool('test_streaming_elicitation', { description: 'Asks a person.' }, async () => {
        const requestedSchema = z.object({ confirmed: z.boolean() });
        return inputRequired({
          inputRequests: { confirmation: inputRequired.elicit({ message: 'Well?', requestedSchema }) },
        });
      }),
  },
  {
    name: 'test_missing_capability',
    register: (server) =>
      void server.registerTool('test_missing_capability', { description: 'Asks a model.' }, async () =>
        inputRequired({
          inputRequests: {
            sample: inputRequired.createMessage({
              maxTokens: 10,
              messages: [{ role: 'user', content: { type: 'text', text: 'Well?' } }],
            }),
          },
        }),
      ),
  },
];
