/** The sign-in of assistants: what tokens open, how long, and for whom. */
import type { Mutants } from './mutant.ts';

const TOKENS = ['test/attacks/assistant-tokens.test.ts'];
const FLOW = ['test/serve/connect/connect.test.ts'];
const CONNECTIONS = ['test/serve/connect/connections.test.ts'];
const SENT = ['test/serve/connect/sent-parameters.test.ts'];
const MIGRATION = 'schema/ledger/0044-assistant-sign-in.sql';
const REFRESH = 'schema/ledger/0048-assistant-refresh-again.sql';

export const ASSISTANT_TOKENS: Mutants = {
  'audience-api': {
    rule: 'a token of a client opens no route of the API (assistants)',
    edits: [
      {
        file: 'src/serve/contract/define-route.ts',
        find: '  { authenticate }: GuardParts,',
        replace: '  { authenticate, authenticateClient }: GuardParts,',
      },
      {
        file: 'src/serve/contract/define-route.ts',
        find: 'const token = requireToken(authenticate);',
        replace: 'const token = requireToken(authenticate, authenticateClient);',
      },
    ],
    caughtBy: FLOW,
  },
  'audience-sharing': {
    rule: 'a token of a client opens no shared table (assistants)',
    file: 'src/serve/sharing/routes.ts',
    find: 'const token = requireToken(parts.authenticate);',
    replace: 'const token = requireToken(parts.authenticate, parts.authenticateClient);',
    caughtBy: FLOW,
  },
  'grant-idle': {
    rule: 'a consent ends after 30 days without a question, not later (assistants)',
    file: MIGRATION,
    find: "and g.used_at > clock_timestamp() - interval '30 days'",
    replace: "and g.used_at > clock_timestamp() - interval '31 days'",
    caughtBy: TOKENS,
  },
  'grant-idle-early': {
    rule: 'a consent does not end before 30 days without a question (assistants)',
    file: MIGRATION,
    find: "and g.used_at > clock_timestamp() - interval '30 days'",
    replace: "and g.used_at > clock_timestamp() - interval '29 days'",
    caughtBy: TOKENS,
  },
  'grant-age': {
    rule: 'a consent ends after 90 days, not later (assistants)',
    file: MIGRATION,
    find: "and g.consented_at > clock_timestamp() - interval '90 days'",
    replace: "and g.consented_at > clock_timestamp() - interval '91 days'",
    caughtBy: TOKENS,
  },
  'grant-age-early': {
    rule: 'a consent does not end before 90 days (assistants)',
    file: MIGRATION,
    find: "and g.consented_at > clock_timestamp() - interval '90 days'",
    replace: "and g.consented_at > clock_timestamp() - interval '89 days'",
    caughtBy: TOKENS,
  },
  'access-hour': {
    rule: 'an access token lives an hour at most (assistants)',
    file: MIGRATION,
    find: "access, 'access', clock_timestamp() + interval '1 hour'),",
    replace: "access, 'access', clock_timestamp() + interval '2 hours'),",
    caughtBy: TOKENS,
  },
  'refresh-month': {
    rule: 'a refresh token lives 30 days at most (assistants)',
    file: MIGRATION,
    find: "refresh, 'refresh', clock_timestamp() + interval '30 days');",
    replace: "refresh, 'refresh', clock_timestamp() + interval '60 days');",
    caughtBy: TOKENS,
  },
  'refresh-expiry': {
    rule: 'a refresh token that ended gets no next tokens (assistants)',
    file: REFRESH,
    find: 'holds := (shown.replaced_at is null or is_again) and shown.expires_at > clock_timestamp()',
    replace: 'holds := (shown.replaced_at is null or is_again)',
    caughtBy: TOKENS,
  },
  'token-stored': {
    rule: 'tokens are stored as digests (assistants)',
    edits: [
      {
        file: 'src/serve/connect/token-routes.ts',
        find: "return createHash('sha256').update(text).digest();",
        replace: 'return Buffer.from(text).subarray(-32);',
      },
      {
        file: 'src/serve/auth/assistant-token.ts',
        find: "return number === null ? null : createHash('sha256').update(text).digest();",
        replace: 'return number === null ? null : Buffer.from(text).subarray(-32);',
      },
    ],
    caughtBy: TOKENS,
  },
  'code-stored': {
    rule: 'codes are stored as digests (assistants)',
    file: 'src/serve/auth/assistant-token.ts',
    find: "return number === null ? null : createHash('sha256').update(text).digest();",
    replace:
      "if (number === null) return null;\n      return kind === 'code' ? Buffer.from(text).subarray(-32) : createHash('sha256').update(text).digest();",
    caughtBy: TOKENS,
  },
  'keys-all': {
    rule: 'tokens of an older key are taken while the key is there (assistants)',
    file: 'src/serve/auth/seals.ts',
    find: 'for (const keys of all) {',
    replace: 'for (const keys of [sealing]) {',
    caughtBy: TOKENS,
  },
  'keys-first': {
    rule: 'the first key seals the next tokens (assistants)',
    file: 'src/serve/auth/seals.ts',
    find: 'const sealing = keysOf(first, purpose);',
    replace: 'const sealing = keysOf(others.at(-1) ?? first, purpose);',
    caughtBy: TOKENS,
  },
  'grant-plan': {
    rule: 'a client is answered while the plan includes the API (assistants)',
    file: MIGRATION,
    find: 't.issued_by_id, a.plan_includes_api, a.reporting_enabled_at is not null,',
    replace: 't.issued_by_id, true, a.reporting_enabled_at is not null,',
    caughtBy: TOKENS,
  },
  'connections-list-account': {
    rule: 'an account sees its own connections only (assistants)',
    file: 'schema/ledger/0046-assistant-connections.sql',
    find: 'where h.account_id = account and g.code_redeemed_at is not null',
    replace: 'where g.code_redeemed_at is not null',
    caughtBy: CONNECTIONS,
  },
  'connections-personal': {
    rule: 'a reporting token sees no connection (assistants)',
    file: 'src/serve/connect/connections-page.ts',
    find: '      requirePersonal(c);\n      const connections',
    replace: '      const connections',
    caughtBy: CONNECTIONS,
  },
  'client-spends': {
    rule: 'a question of a client counts for the token of its sign-in (assistants)',
    file: 'src/serve/auth/authenticate.ts',
    find: '  c.var.spendToken(holder.token_id);',
    replace: '  if (grant_id === undefined) c.var.spendToken(holder.token_id);',
    caughtBy: FLOW,
  },
  'log-grant': {
    rule: 'the log line of a question names its consent (assistants)',
    file: 'src/serve/auth/authenticate.ts',
    find: '...(grant_id !== undefined && { grant_id })',
    replace: '...(grant_id === null && { grant_id })',
    caughtBy: FLOW,
  },
  'log-code': {
    rule: 'no line of the log has a code (assistants)',
    file: 'src/serve/connect/consent-form.ts',
    find: "c.var.logger.info('client.connected');",
    replace: "c.var.logger.with({ code }).info('client.connected');",
    caughtBy: FLOW,
  },
  'refusal-repeats': {
    rule: 'no refusal repeats what was sent (assistants)',
    file: 'src/serve/connect/token-routes.ts',
    find: ": oauthError(c, 'invalid_grant', REFUSED);",
    replace: ": oauthError(c, 'invalid_grant', `${REFUSED} ${fields.get('refresh_token') ?? ''}`);",
    caughtBy: FLOW,
  },
  'revoke-client': {
    rule: 'a token is given back by its own client (assistants)',
    file: MIGRATION,
    find: 'and c.id = g.client and c.client_id = $2 and g.ended_at is null',
    replace: 'and c.id = g.client and g.ended_at is null',
    caughtBy: FLOW,
  },
  'sent-control': {
    rule: 'a parameter with a control character reaches no database (assistants)',
    file: 'src/serve/connect/oauth-answer.ts',
    find: "  if (/\\p{Cc}/u.test([...sent.values()].join(''))) return 'The client sent a control character.';\n",
    replace: '',
    caughtBy: SENT,
  },
  'sent-empty': {
    rule: 'a parameter without a value is as good as left out (assistants)',
    file: 'src/serve/connect/oauth-answer.ts',
    find: "return new URLSearchParams([...sent].filter(([, value]) => value !== ''));",
    replace: 'return new URLSearchParams([...sent]);',
    caughtBy: SENT,
  },
  'sent-away': {
    rule: 'a database that does not answer says nothing of a client (assistants)',
    file: 'src/ops/assistants.ts',
    find: 'const found = await readFirst(service, client, LOOK_UP_LIMIT_MS).catch(unanswered);',
    replace: 'const found = await readFirst(service, client, LOOK_UP_LIMIT_MS);',
    caughtBy: SENT,
  },
  'name-marks': {
    rule: 'a name covers no line around it (assistants)',
    file: 'src/serve/connect/client-metadata.ts',
    find: "\n    .replaceAll(/(\\p{M}{2})\\p{M}+/gu, '$1')",
    replace: '',
    caughtBy: SENT,
  },
};
