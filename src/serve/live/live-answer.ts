import type { Context, TypedResponse } from 'hono';
import { answerJson } from '../http/json-answer.ts';

// Of one account, and live: kept by the client alone, and asked again each time.
const CACHE_LIVE = { 'cache-control': 'private, no-cache' } as const;

type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined };

/** Nothing but what JSON has: a bigint that slips through does not compile. What is undefined is left out. */
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** An answer read just now, as the type that the route's contract is compared with. */
export function answerLive<Value extends JsonObject>(
  c: Context,
  value: Value,
): Response & TypedResponse<Value, 200, 'json'> {
  return answerJson(c, value, CACHE_LIVE);
}
