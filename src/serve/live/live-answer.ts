import type { Context, TypedResponse } from 'hono';
import { answerJson } from '../http/json-answer.ts';

// Live figures of one account: only the client may store them, and it must revalidate each time.
const CACHE_LIVE = { 'cache-control': 'private, no-cache' } as const;

type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined };

/** Values that JSON can hold: a bigint does not compile. Undefined members are omitted. */
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** An answer read from the ledger now. Its type lets the compiler compare it with the route's contract. */
export function answerLive<Value extends JsonObject>(
  c: Context,
  value: Value,
): Response & TypedResponse<Value, 200, 'json'> {
  return answerJson(c, value, CACHE_LIVE);
}
