import type { Context } from 'hono';
import { answerKept, keep } from './kept-answer.ts';

/** A value as JSON, with its length and a tag of its bytes. */
export function answerJson(c: Context, value: unknown, headers: Readonly<Record<string, string>>): Response {
  return answerKept(c, keep(JSON.stringify(value), 'application/json'), headers);
}
