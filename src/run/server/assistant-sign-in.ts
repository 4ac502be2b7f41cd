/** The sign-in of assistants over the database, or nothing while it is switched off. */
import type { Pool } from 'pg';
import type { Settings } from '../../config.ts';
import { endConnection, listConnections } from '../../ops/assistant-connections.ts';
import { openAssistantRecords } from '../../ops/assistants.ts';
import type { AppParts } from '../../serve/app.ts';
import { createAssistantTokens } from '../../serve/auth/assistant-token.ts';
import { allowAddresses } from '../../webhooks/allowed-addresses.ts';
import { readDocument } from '../../webhooks/read-document.ts';
import { resourceOf } from '../../serve/auth/well-known.ts';

interface SignInParts {
  readonly keys: readonly [string, ...string[]];
  readonly service: Pool;
  readonly baseUrl: () => string;
}

/** Looks a token up at every request, without a cache: who leaves the account loses the next one. */
export function openSignIn(
  { assistantSignIn }: Pick<Settings, 'assistantSignIn'>,
  { keys, service, baseUrl }: SignInParts,
): Pick<AppParts, 'signIn' | 'authenticateClient'> {
  if (!assistantSignIn) return { signIn: null, authenticateClient: null };
  const records = openAssistantRecords(service);
  const tokens = createAssistantTokens(keys);
  return {
    signIn: {
      records,
      tokens,
      // The exceptions of WEBHOOK_NETWORKS are for addresses that an operator adds, never for strangers.
      readDocument: (address) => readDocument(address, { allowed: allowAddresses([]) }),
      connections: {
        list: (account_id) => listConnections(service, account_id),
        end: (account_id, id) => endConnection(service, account_id, id),
      },
    },
    authenticateClient: async (token) => {
      const sha256 = tokens.digest('access', token, resourceOf(baseUrl()));
      const holder = sha256 === null ? null : await records.holder(sha256);
      return holder === null ? null : { ...holder, kind: 'personal' };
    },
  };
}
