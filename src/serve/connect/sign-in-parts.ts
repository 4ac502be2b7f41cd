import type { Connection } from '../../ops/assistant-connections.ts';
import type { AssistantRecords } from '../../ops/assistants.ts';
import type { AssistantTokens } from '../auth/assistant-token.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';

/** What the sign-in of assistants needs. */
export interface AssistantSignIn {
  readonly records: AssistantRecords;
  readonly tokens: AssistantTokens;
  /** The JSON document at an address that a client names; null if it cannot be read. */
  readonly readDocument: (address: string) => Promise<unknown>;
  /** What an account has connected, and the end of a connection; false if the account has no such connection. */
  readonly connections: {
    readonly list: (account_id: bigint) => Promise<readonly Connection[]>;
    readonly end: (account_id: bigint, id: bigint) => Promise<boolean>;
  };
}

/** The same, with what the application shares. */
export interface ConnectParts {
  readonly signIn: AssistantSignIn;
  readonly rateLimiter: RateLimiter;
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: () => string;
}
