/** The one body that a route of ours takes: a message to the assistant, read whole before anything is done with it. */
import { isJsonContentType } from '@modelcontextprotocol/server';
import { readBody } from '../http/read-body.ts';

/** Where the assistant is asked. */
export const ASSISTANT_PATH = '/mcp';

/** The most that a message may hold: the largest question of any tool is a hundredth of it. */
export const MAX_BODY_BYTES = 64 * 1024;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** A message, or why there is none; a request that carries no JSON is left to the protocol to refuse. */
export async function readMessage(
  request: Request,
): Promise<{ readonly message?: unknown } | { readonly refusal: Response }> {
  if (request.method !== 'POST' || !isJsonContentType(request.headers.get('content-type'))) return {};
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body.tooLarge) {
    return { refusal: refuse(413, INVALID_REQUEST, `A message may hold ${MAX_BODY_BYTES} bytes.`) };
  }
  const message = parse(body.text);
  if (message === undefined) {
    return { refusal: refuse(400, PARSE_ERROR, 'Parse error: the body is not JSON.') };
  }
  // One request is one question: a batch would ask hundreds for the price of one, and the protocol has dropped it.
  if (Array.isArray(message)) {
    return { refusal: refuse(400, INVALID_REQUEST, 'Batches are not served; send one message a request.') };
  }
  return { message };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** In the protocol's own shape, which its clients read; what is left of a body is not waited for. */
function refuse(status: number, code: number, message: string): Response {
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code, message } },
    { status, headers: { connection: 'close' } },
  );
}
