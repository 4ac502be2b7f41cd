/** Reads the request body of a message to the assistant, whole, before the message is handled. */
import { isJsonContentType } from '@modelcontextprotocol/server';
import { readBody } from '../http/read-body.ts';

/** The maximum size of a message: a hundred times the largest question to any tool. */
export const MAX_BODY_BYTES = 64 * 1024;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * The parsed message, or the refusal of a body that is too large or no single JSON message. Neither for a request that
 * is no POST of JSON: the protocol library refuses that.
 */
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
  // A batch would ask hundreds of questions in one counted request, and the protocol no longer has batches.
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

/** An error in the protocol's own shape, which its clients read. The rest of the body is not read. */
function refuse(status: number, code: number, message: string): Response {
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code, message } },
    { status, headers: { connection: 'close' } },
  );
}
