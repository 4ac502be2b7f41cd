/** A tool of the assistant: its listing, checks and answers are made from one declaration. */
import type { z } from '@hono/zod-openapi';
import type { McpServer } from '@modelcontextprotocol/server';
import type { ReadApi } from '../../config.ts';
import type { Diffs } from '../../diff/diff-cache.ts';
import { CrossfootError } from '../../errors.ts';
import type { HelpArticle } from '../../ledger/lists/help-articles.ts';
import { errorFields, type Logger } from '../../log.ts';
import type { SchemaDescription } from '../../tables/describe.ts';
import { refusalOfError } from '../http/error-answer.ts';
import type { SourceParts } from '../live/chosen-source.ts';
import type { JsonObject } from '../live/live-answer.ts';
import { compactSchema } from './compact-schema.ts';

/** What tools answer from. */
export interface ToolParts extends SourceParts {
  /** The public address of the help pages, without a closing slash. */
  readonly docsUrl: () => string;
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: () => string;
  /** Every published article. */
  readonly articles: () => Promise<readonly HelpArticle[]>;
  /** The description of the reporting tables. */
  readonly schema: SchemaDescription;
  readonly diffs: Diffs;
  /** Ends when a call has waited long enough for a comparison; the timer of the process if omitted. */
  readonly comparedWithin?: () => Promise<void>;
  /** With `snapshots`, a call that names no snapshot is answered from the newest. */
  readonly readApi: ReadApi;
}

/** Who asks: one request, one token, one account. */
export interface Caller {
  readonly account_id: bigint;
  /** Whether snapshots of the account can be read. */
  readonly reporting_enabled: boolean;
  readonly logger: Logger;
  /**
   * A sentence with the account's current periods, such as "this quarter", for a list of tools; null for other
   * messages.
   */
  readonly periods: string | null;
}

interface Declaration<Input extends z.ZodObject, Output extends z.ZodType<JsonObject>> {
  readonly name: string;
  readonly title: string;
  /** Tells a model when to use the tool, and what it must not conclude from the answer. */
  readonly description: string;
  /** True if the description ends with the account's periods. False if omitted. */
  readonly namesPeriods?: boolean;
  /** True if no snapshot holds what the tool reads. False if omitted. */
  readonly staysLive?: boolean;
  /** Strict: an unknown parameter is refused by name. */
  readonly input: Input;
  readonly output: Output;
  readonly answer: (
    parts: ToolParts,
    input: z.output<Input>,
    caller: Pick<Caller, 'account_id' | 'reporting_enabled'>,
  ) => Promise<z.output<Output>>;
  /** The answer as text, for models that do not read the structured answer. */
  readonly tell: (answer: z.output<Output>) => string;
}

/** A declared tool with any input and output. */
export interface Tool {
  readonly name: string;
  /** Adds the tool to a server that answers one caller. */
  register(server: McpServer, parts: ToolParts, caller: Caller): void;
}

/** The maximum time of one statement of a tool: a model and a person wait for it. */
export const TOOL_TIMEOUT_MS = 10_000;

// No tool writes or calls anything outside; calling one again has no further effect.
const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

// Added only on a server whose other tools answer from a snapshot.
const LIVE_NOTE = 'Reads the ledger now, not the newest snapshot.';

/** Refuses to read the ledger, for a tool without snapshot input on a server that answers from snapshots. */
async function refuseLedger(tool: string): Promise<never> {
  throw new CrossfootError(
    'parameter_refused',
    `This server answers from snapshots, and ${tool} reads the ledger only. Use another tool.`,
  );
}

/** Declares a tool. A refusal becomes an answer that the model reads, not a protocol error. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType<JsonObject>>(
  declaration: Declaration<Input, Output>,
): Tool {
  const { name, title, description, namesPeriods = false, staysLive = false } = declaration;
  const { input, output, answer, tell } = declaration;
  const inputSchema = compactSchema(input);
  const outputSchema = compactSchema(output);
  return {
    name,
    register(server, parts, { periods, logger, ...caller }) {
      const fromSnapshots = parts.readApi === 'snapshots';
      const notes = staysLive && fromSnapshots ? [LIVE_NOTE] : [];
      const words = [description, ...(namesPeriods && periods !== null ? [periods] : []), ...notes].join(' ');
      const takesSnapshot = 'snapshot' in input.shape;
      const newest = fromSnapshots && takesSnapshot ? { snapshot: 'latest' } : {};
      const refuses = fromSnapshots && !takesSnapshot && !staysLive;
      const sources = refuses ? { ...parts, inAccount: () => refuseLedger(name) } : parts;
      const config = { title, description: words, inputSchema, outputSchema, annotations: READ_ONLY };
      server.registerTool(name, config, async (checked: unknown) => {
        try {
          // The server has parsed the input by `input`.
          const asked = { ...newest, ...(checked as z.output<Input>) };
          const structuredContent = await answer(sources, asked, caller);
          const text = [tell(structuredContent), ...notes].join('\n');
          return { content: [{ type: 'text', text }], structuredContent };
        } catch (error) {
          const { status, message } = refusalOfError(error);
          if (status >= 500) logger.error('request.failed', errorFields(error));
          return { content: [{ type: 'text', text: message }], isError: true };
        }
      });
    },
  };
}
