/** Questions to the assistant over the fixture company, as either protocol writes them. */
import type { AppParts } from '../../../src/serve/app.ts';
import { type LiveCompany, openLive, tokenOf } from '../live/live-company.ts';

/** What a tool answered: its structured answer, its text, and whether it is a refusal. */
export interface Told {
  readonly structured: Record<string, unknown> | undefined;
  readonly text: string;
  readonly isError: boolean;
}

export interface Asking {
  readonly company: LiveCompany;
  /** Calls a tool as an account of the fixture. */
  call(tool: string, asked?: Record<string, unknown>, account_id?: number): Promise<Told>;
  /** Sends any message and gives the whole response. */
  send(message: unknown, headers?: Record<string, string>, account_id?: number): Promise<Response>;
}

interface Answered {
  readonly result?: {
    readonly structuredContent?: Record<string, unknown>;
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
}

/** Opens the fixture company with an application that is asked in this process. */
export async function openAsking(replaced: Partial<AppParts> = {}): Promise<Asking> {
  return askingOf(await openLive('template_company', replaced));
}

/** The same, of a company that is open. */
export function askingOf(company: LiveCompany): Asking {
  const send: Asking['send'] = async (message, headers = {}, account_id = 1) =>
    await company.app.request('/mcp', {
      method: 'POST',
      headers: {
        host: 'localhost',
        authorization: `Bearer ${tokenOf(account_id)}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    });
  return {
    company,
    send,
    call: async (name, asked = {}, account_id = 1) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: asked } };
      const body = await (await send(message, {}, account_id)).text();
      return postgresErrorOf(body);
    },
  };
}

/** What is told by the one event that a client of the 2025 protocols is answered with. */
function postgresErrorOf(events: string): Told {
  const [, data = ''] = /(?:^|\n)data: ([^\n]*)/.exec(events) ?? [];
  const { result } = JSON.parse(data === '' ? events : data) as Answered;
  if (result === undefined) throw new Error(`no result: ${events}`);
  return {
    structured: result.structuredContent,
    text: result.content.map(({ text }) => text).join('\n'),
    isError: result.isError === true,
  };
}
