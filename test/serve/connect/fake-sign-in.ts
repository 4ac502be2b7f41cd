/** A sign-in of assistants that knows one client, connected once, for tests that ask of pages alone. */
import { AUTHORIZE_PATH } from '../../../src/serve/connect/addresses.ts';
import type { AssistantSignIn } from '../../../src/serve/connect/sign-in-parts.ts';
import { createAssistantTokens } from '../../../src/serve/auth/assistant-token.ts';
import { instantOf } from '../../support/instant-of.ts';
import { CALLBACK, KEYS, ORIGIN } from './open-connect.ts';

const CLIENT = { id: 1n, client_id: 'cf_client_1', name: 'Helper', redirect_uris: [CALLBACK] };

/** The address of the page of consent, as that client asks. */
export const CONSENT_ADDRESS = `${AUTHORIZE_PATH}?${new URLSearchParams({
  response_type: 'code',
  client_id: CLIENT.client_id,
  redirect_uri: CALLBACK,
  code_challenge: 'a'.repeat(43),
  code_challenge_method: 'S256',
  resource: `${ORIGIN}/mcp`,
}).toString()}`;

export const FAKE_SIGN_IN: AssistantSignIn = {
  records: {
    register: async () => false,
    know: async () => undefined,
    find: async (client_id) => (client_id === CLIENT.client_id ? CLIENT : null),
    consent: async () => undefined,
    redeem: async () => false,
    renew: async () => false,
    holder: async () => null,
    giveBack: async () => undefined,
    forget: async () => undefined,
  },
  tokens: createAssistantTokens(KEYS),
  readDocument: async () => null,
  connections: {
    list: async () => [
      {
        id: 1n,
        name: CLIENT.name,
        redirect_uri: CALLBACK,
        user_id: 3n,
        consented_at: instantOf('2026-11-20T02:00:00Z'),
        used_at: instantOf('2026-11-20T03:00:00Z'),
      },
    ],
    end: async () => false,
  },
};
