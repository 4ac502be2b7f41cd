import { readRequestBody } from '@modelcontextprotocol/server';
import { CrossfootError } from '../../errors.ts';

/** Reads a body of at most `max_bytes`. A body that breaks off is the client's fault, not an error of the server. */
export async function readBody(request: Request, max_bytes: number): ReturnType<typeof readRequestBody> {
  return await readRequestBody(request, max_bytes).catch((cause: unknown) => {
    throw new CrossfootError('client_gone', 'The client went away before its request was whole.', { cause });
  });
}
