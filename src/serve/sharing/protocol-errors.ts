/** Errors in the shape of the sharing protocol: `{"errorCode","message"}`, which its clients print. */
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';

const CODES: Readonly<Record<number, string>> = {
  400: 'INVALID_PARAMETER_VALUE',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'RESOURCE_DOES_NOT_EXIST',
  405: 'METHOD_NOT_ALLOWED',
  413: 'REQUEST_TOO_LARGE',
  429: 'RESOURCE_EXHAUSTED',
  503: 'TEMPORARILY_UNAVAILABLE',
};

const ours = z.object({ error: z.object({ message: z.string() }) });

/** The body of an error in the protocol's shape. */
export function protocolError(status: number, message: string): string {
  const errorCode = CODES[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR');
  return JSON.stringify({ errorCode, message });
}

/**
 * Converts each error with the JSON body of this API, `{"error":{…}}`, into the protocol's shape, also if another
 * middleware made the error. It applies to routes of the protocol only. Other answers pass unchanged.
 */
export const protocolErrors = createMiddleware(async (c, next) => {
  await next();
  const { status, headers } = c.res;
  if (status < 400) return;
  const read = ours.safeParse(await c.res.json());
  if (!read.success) return;
  const body = protocolError(status, read.data.error.message);
  headers.set('content-length', String(Buffer.byteLength(body)));
  c.res = undefined; // otherwise the framework copies the old length
  c.res = new Response(body, { status, headers });
});
