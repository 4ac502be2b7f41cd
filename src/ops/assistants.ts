/** The clients of assistants, what people allowed them, and the digests of their codes and tokens. Called as `cf_service`. */
import { timingSafeEqual } from 'node:crypto';
import type { NotNull } from 'kysely';
import type { Pool } from 'pg';
import { CrossfootError } from '../errors.ts';
import { call, db, readFirst, readOne } from '../database/query.ts';

// Requests wait for these look-ups by an index; they fail if the database takes longer.
const LOOK_UP_LIMIT_MS = 3_000;

export interface AssistantClient {
  readonly client_id: string;
  /** The name that the client gives itself: anybody can claim any. */
  readonly name: string;
  readonly redirect_uris: readonly string[];
}

/** A consent of a signed-in person, with the digest of the code that the client gets. */
export interface Consent {
  readonly account_id: bigint;
  /** The personal token of the sign-in. */
  readonly token_id: bigint;
  readonly client: bigint;
  readonly redirect_uri: string;
  readonly challenge: string;
  readonly code_sha256: Uint8Array;
}

/** The digests of the next two tokens of a family. */
export interface NextTokens {
  readonly access_sha256: Uint8Array;
  readonly refresh_sha256: Uint8Array;
}

/** What a client sends to redeem a code. */
export interface Redemption extends NextTokens {
  readonly code_sha256: Uint8Array;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly challenge: string;
}

/** What a client sends to get the next tokens. */
export interface Renewal extends NextTokens {
  readonly old_sha256: Uint8Array;
  readonly client_id: string;
}

export interface AssistantRecords {
  /** False if too many clients wait for their first consent. */
  register(client: AssistantClient): Promise<boolean>;
  /** Keeps what the document of a client says. */
  know(client: AssistantClient): Promise<void>;
  find(client_id: string): Promise<(AssistantClient & { readonly id: bigint }) | null>;
  consent(consent: Consent): Promise<void>;
  /** False if the code is refused; a code that is shown twice ends its grant. */
  redeem(redemption: Redemption): Promise<boolean>;
  /**
   * False if the refresh token is refused. A token that was replaced ends its grant, unless its client asks again within 30
   * seconds for the same next tokens.
   */
  renew(renewal: Renewal): Promise<boolean>;
  /** Who holds the access token with this SHA-256 now; null if it is not valid. */
  holder(sha256: Uint8Array): Promise<AssistantHolder | null>;
  /** Ends the grant of a token of this client. */
  giveBack(sha256: Uint8Array, client_id: string): Promise<void>;
  /** Deletes what is over, and clients that no person connected. */
  forget(): Promise<void>;
}

/** A person, as a client asks for them, and what their account may do. */
export interface AssistantHolder {
  readonly account_id: bigint;
  readonly grant_id: bigint;
  readonly token_id: bigint;
  readonly user_id: bigint;
  readonly api_access: boolean;
  readonly reporting_enabled: boolean;
}

/** The records in the database of this pool. A failed look-up throws: it says neither valid nor unknown. */
export function openAssistantRecords(service: Pool): AssistantRecords {
  const done = async (called: ReturnType<typeof call>): Promise<boolean> => {
    const made = db.selectNoFrom(called.$castTo<boolean | null>().as('done'));
    return (await readOne(service, made, LOOK_UP_LIMIT_MS).catch(unanswered)).done === true;
  };
  return {
    register: ({ client_id, name, redirect_uris }) =>
      done(call('ops.register_assistant', client_id, name, [...redirect_uris])),
    know: async ({ client_id, name, redirect_uris }) =>
      void (await done(call('ops.know_assistant', client_id, name, [...redirect_uris]))),
    async find(client_id) {
      const client = db
        .selectFrom(call('ops.assistant_client', client_id).as('client'))
        .select(['id', 'name', 'redirect_uris'])
        .$narrowType<{ id: NotNull; name: NotNull; redirect_uris: NotNull }>();
      const found = await readFirst(service, client, LOOK_UP_LIMIT_MS).catch(unanswered);
      return found === null ? null : { client_id, ...found };
    },
    async consent({ account_id, token_id, client, redirect_uri, challenge, code_sha256 }) {
      const code = Buffer.from(code_sha256);
      await done(
        call('ops.consent_to_assistant', account_id, token_id, client, redirect_uri, challenge, code),
      );
    },
    redeem: ({ code_sha256, client_id, redirect_uri, challenge, ...next }) =>
      done(
        call(
          'ops.redeem_assistant_code',
          Buffer.from(code_sha256),
          client_id,
          redirect_uri,
          challenge,
          Buffer.from(next.access_sha256),
          Buffer.from(next.refresh_sha256),
        ),
      ),
    renew: ({ old_sha256, client_id, access_sha256, refresh_sha256 }) =>
      done(
        call(
          'ops.replace_assistant_tokens',
          Buffer.from(old_sha256),
          client_id,
          Buffer.from(access_sha256),
          Buffer.from(refresh_sha256),
        ),
      ),
    async holder(sha256) {
      const held = db
        .selectFrom(call('ops.assistant_holder', Buffer.from(sha256)).as('holder'))
        .selectAll()
        .$narrowType<{
          account_id: NotNull;
          grant_id: NotNull;
          token_id: NotNull;
          user_id: NotNull;
          api_access: NotNull;
          reporting_enabled: NotNull;
          stored_sha256: NotNull;
        }>();
      const found = await readFirst(service, held, LOOK_UP_LIMIT_MS).catch(unanswered);
      // The index does not compare in constant time.
      if (found === null || !timingSafeEqual(found.stored_sha256, sha256)) return null;
      const { stored_sha256: _, ...holder } = found;
      return holder;
    },
    giveBack: async (sha256, client_id) =>
      void (await done(call('ops.give_back_assistant_token', Buffer.from(sha256), client_id))),
    forget: async () => void (await done(call('ops.forget_assistants'))),
  };
}

function unanswered(cause: unknown): never {
  throw new CrossfootError('token_unchecked', 'The sign-in of assistants could not be looked up.', { cause });
}
