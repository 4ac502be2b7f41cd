import type { Context, TypedResponse } from 'hono';
import { sendStatic, staticResponse } from './static-response.ts';

/** A value as JSON, with its length and an entity tag. The return type lets the compiler check a route's contract. */
export function answerJson<Value>(
  c: Context,
  value: Value,
  headers: Readonly<Record<string, string>>,
): Response & TypedResponse<Value, 200, 'json'> {
  return sendStatic(c, staticResponse(JSON.stringify(value), 'application/json'), headers);
}
