import type { AssistantRecords } from '../../ops/assistants.ts';
import type { AssistantTokens } from '../auth/assistant-token.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';

/** What the sign-in of assistants needs. */
export interface AssistantSignIn {
  readonly records: AssistantRecords;
  readonly tokens: AssistantTokens;
}

/** The same, with what the application shares. */
export interface ConnectParts {
  readonly signIn: AssistantSignIn;
  readonly rateLimiter: RateLimiter;
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: () => string;
}
