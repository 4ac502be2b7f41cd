import type { Context, TypedResponse } from 'hono';
import { answerJson } from './json-answer.ts';

// Of one account, and live: kept by the client alone, and asked again each time.
const CACHE_LIVE = { 'cache-control': 'private, no-cache' } as const;

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Nothing but what JSON has: a bigint that slips through does not compile. */
export interface JsonObject {
  [name: string]: Json;
}

/** An answer read just now, as the type that the route's contract is compared with. */
export function answerLive<Value extends JsonObject>(
  c: Context,
  value: Value,
): Response & TypedResponse<Value, 200, 'json'> {
  // The three members beside Response exist for the compiler only; a 304 has no body to be of another type.
  return answerJson(c, value, CACHE_LIVE) as Response & TypedResponse<Value, 200, 'json'>;
}
