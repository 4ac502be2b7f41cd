/** A tool of the assistant: one declaration from which its listing, its checks and its answers are made. */
import type { z } from '@hono/zod-openapi';
import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { errorFields, type Logger } from '../../log.ts';
import { refusalOfError } from '../http/error-answer.ts';
import type { FigureParts } from '../live/figure-moment.ts';
import type { JsonObject } from '../live/live-answer.ts';

/** What tools answer from. */
export interface ToolParts extends FigureParts {
  /** The public address of the help pages, without a closing slash. */
  readonly docsUrl: () => string;
}

/** Whose question it is: one request, one token, one account. */
export interface Caller {
  readonly account_id: bigint;
  readonly logger: Logger;
}

interface Declaration<Input extends z.ZodObject, Output extends z.ZodType<JsonObject>> {
  readonly name: string;
  readonly title: string;
  /** Tells a model when to use it, and what it must not conclude from it. */
  readonly description: string;
  /** Strict: what is not in it is refused by name. */
  readonly input: Input;
  readonly output: Output;
  readonly answer: (
    parts: ToolParts,
    account_id: bigint,
    asked: z.output<Input>,
  ) => Promise<z.output<Output>>;
  /** The answer again, as the text that a client shows to models that read nothing else. */
  readonly tell: (answer: z.output<Output>) => string;
}

/** A declared tool, whatever it takes and gives. */
export interface Tool {
  readonly name: string;
  /** Adds it to a server that answers one caller. */
  register(server: McpServer, parts: ToolParts, caller: Caller): void;
}

/** The longest that one statement of a tool may take: a model waits, and so does a person behind it. */
export const TOOL_TIMEOUT_MS = 10_000;

// No tool writes, calls anything outside or does a second thing.
const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Declares a tool. What it refuses becomes an answer that the model reads, never a failure of the protocol. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType<JsonObject>>(
  declaration: Declaration<Input, Output>,
): Tool {
  const { name, title, description, input, output, answer, tell } = declaration;
  // Named by what the server asks of them, because it cannot infer from types that are not known yet.
  const inputSchema: StandardSchemaWithJSON = input;
  const outputSchema: StandardSchemaWithJSON = output;
  const config = { title, description, inputSchema, outputSchema, annotations: READ_ONLY };
  return {
    name,
    register(server, parts, { account_id, logger }) {
      server.registerTool(name, config, async (checked: unknown) => {
        try {
          // The server has parsed it by `input`.
          const structuredContent = await answer(parts, account_id, checked as z.output<Input>);
          return { content: [{ type: 'text', text: tell(structuredContent) }], structuredContent };
        } catch (error) {
          const { status, message } = refusalOfError(error);
          if (status >= 500) logger.error('request.failed', errorFields(error));
          return { content: [{ type: 'text', text: message }], isError: true };
        }
      });
    },
  };
}
