import type { Context, TypedResponse } from 'hono';
import { answerKept, keep } from './kept-answer.ts';

/** A value as JSON, with its length and a tag of its bytes; its type is what a route's contract is compared with. */
export function answerJson<Value>(
  c: Context,
  value: Value,
  headers: Readonly<Record<string, string>>,
): Response & TypedResponse<Value, 200, 'json'> {
  return answerKept(c, keep(JSON.stringify(value), 'application/json'), headers);
}
