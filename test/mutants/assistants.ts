/** The sign-in of assistants. */
import type { Mutants } from './mutant.ts';

const SIGN_IN = ['test/attacks/assistant-sign-in.test.ts'];
const TOKENS = ['test/attacks/assistant-tokens.test.ts'];
const FLOW = ['test/serve/connect/connect.test.ts'];
const CONNECTIONS = ['test/serve/connect/connections.test.ts'];
const DOCUMENT = ['test/webhooks/read-document.test.ts'];
const REFRESH = 'schema/ledger/0055-assistant-refresh-again.sql';
const MIGRATION = 'schema/ledger/0044-assistant-sign-in.sql';

export const ASSISTANTS: Mutants = {
  'redirect-prefix': {
    rule: 'a code is sent to a registered address, letter by letter (assistants)',
    file: 'src/serve/connect/redirect-address.ts',
    find: 'return registered.some((each) => withoutPort(each) === withoutPort(asked));',
    replace: 'return registered.some((each) => withoutPort(asked).startsWith(withoutPort(each)));',
    caughtBy: SIGN_IN,
  },
  'redirect-port': {
    rule: 'the port is free on this computer only (assistants)',
    file: 'src/serve/connect/redirect-address.ts',
    find: 'const LOOPBACK = /^(http:\\/\\/(?:127\\.0\\.0\\.1|\\[::1\\]|localhost))(?::\\d{1,5})?(?=[/?]|$)/;',
    replace: 'const LOOPBACK = /^(https?:\\/\\/[^/:@]+)(?::\\d{1,5})?(?=[/?]|$)/;',
    caughtBy: SIGN_IN,
  },
  'pkce-plain': {
    rule: 'PKCE is S256 only (assistants)',
    file: 'src/serve/connect/authorization-request.ts',
    find: "if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {",
    replace: 'if (!CHALLENGE.test(challenge)) {',
    caughtBy: FLOW,
  },
  'pkce-verifier': {
    rule: 'a code is redeemed with its own verifier (assistants)',
    file: MIGRATION,
    find: 'and found_grant.redirect_uri = $3 and found_grant.challenge = $4',
    replace: 'and found_grant.redirect_uri = $3',
    caughtBy: SIGN_IN,
  },
  'code-once': {
    rule: 'a code is redeemed once (assistants)',
    file: MIGRATION,
    find: 'holds := found_grant.code_redeemed_at is null\n    and',
    replace: 'holds :=',
    caughtBy: SIGN_IN,
  },
  'code-minute': {
    rule: 'a code ends after a minute (assistants)',
    file: MIGRATION,
    find: "interval '60 seconds'",
    replace: "interval '1 day'",
    caughtBy: SIGN_IN,
  },
  'consent-form-token': {
    rule: 'the form of consent holds the token of its session (assistants)',
    file: 'src/serve/connect/consent-form.ts',
    find: '\n    requireFormToken(c, form, parts);',
    replace: '',
    caughtBy: SIGN_IN,
  },
  'consent-reread': {
    rule: 'the request is checked again when the person answers (assistants)',
    file: 'src/serve/connect/consent-page.ts',
    find: 'if (!isRegistered(request.redirect_uri, client.redirect_uris)) {',
    replace: 'if (client.redirect_uris.length === 0) {',
    caughtBy: SIGN_IN,
  },
  'consent-personal': {
    rule: 'a reporting token allows no client (assistants)',
    file: 'src/serve/connect/consent-page.ts',
    find: "if (c.var.principal.kind === 'personal') return;",
    replace: 'if (c.var.principal.kind !== undefined) return;',
    caughtBy: FLOW,
  },
  'answer-issuer': {
    rule: 'every answer to a client names the issuer (assistants)',
    file: 'src/serve/connect/consent-page.ts',
    find: '\n    iss: issuerOf(baseUrl),',
    replace: '',
    caughtBy: SIGN_IN,
  },
  'refresh-reuse': {
    rule: 'a refresh token that is shown again after 30 seconds ends its family (assistants)',
    file: REFRESH,
    find: "is_again := shown.replaced_at > clock_timestamp() - interval '30 seconds'",
    replace: 'is_again := shown.replaced_at is not null',
    caughtBy: TOKENS,
  },
  'refresh-used': {
    rule: 'a refresh token that is shown after the next one ends its family (assistants)',
    file: REFRESH,
    find: 'and n.sha256 = $4 and n.replaced_at is null);',
    replace: 'and n.sha256 = $4);',
    caughtBy: TOKENS,
  },
  'refresh-same': {
    rule: 'a client whose answer was lost gets the same answer (assistants)',
    file: 'src/serve/auth/assistant-token.ts',
    find: 'createHash(\'sha256\').update(`${kind} after ${refresh_token}`).digest()),',
    replace: 'randomBytes(RANDOM_BYTES + refresh_token.length * 0)),',
    caughtBy: TOKENS,
  },
  'refresh-client': {
    rule: 'a refresh token is of one client (assistants)',
    file: REFRESH,
    find: 'h.grant_id = shown.grant_id and c.client_id = $2);',
    replace: 'h.grant_id = shown.grant_id);',
    caughtBy: TOKENS,
  },
  'token-audience': {
    rule: 'a token is for one address of the assistant (assistants)',
    file: 'src/serve/auth/assistant-token.ts',
    find: 'return `${kind} ${audience}`;',
    replace: 'return `${kind} ${audience.length > 0}`;',
    caughtBy: TOKENS,
  },
  'token-kind': {
    rule: 'a refresh token opens nothing by itself (assistants)',
    file: MIGRATION,
    find: "where t.sha256 = access and t.kind = 'access' and t.expires_at > clock_timestamp()",
    replace: "where t.sha256 = access and t.kind = 'access'",
    caughtBy: TOKENS,
  },
  'grant-person': {
    rule: 'a client is answered while its person is in the account (assistants)',
    file: MIGRATION,
    find: '\n    and m.removed_at is null\n',
    replace: '\n',
    caughtBy: TOKENS,
  },
  'grant-token': {
    rule: 'a client is answered while the token of the sign-in holds (assistants)',
    file: MIGRATION,
    find: "and t.kind = 'personal' and t.revoked_at is null and (t.expires_at",
    replace: "and t.kind = 'personal' and (t.expires_at",
    caughtBy: TOKENS,
  },
  'register-limit': {
    rule: 'one address registers ten clients a minute (assistants)',
    file: 'src/serve/connect/register-route.ts',
    find: 'const REGISTRATIONS_A_MINUTE = 10;',
    replace: 'const REGISTRATIONS_A_MINUTE = 1_000;',
    caughtBy: TOKENS,
  },
  'register-waiting': {
    rule: 'a flood of registrations fills no disk (assistants)',
    file: MIGRATION,
    find: 'limit 5000) waiting) >= 5000',
    replace: 'limit 5000) waiting) > 5000',
    caughtBy: TOKENS,
  },
  'connections-account': {
    rule: 'a connection is ended by its own account (assistants)',
    file: 'schema/ledger/0046-assistant-connections.sql',
    find: 'where g.account_id = account and g.id = connection and g.ended_at is null and exists (\n      select from ops.assistant_connections(account) c where c.id = connection);',
    replace: 'where g.id = connection and g.ended_at is null;',
    caughtBy: CONNECTIONS,
  },
  'connections-form': {
    rule: 'the form that ends a connection holds the token of its session (assistants)',
    file: 'src/serve/connect/connections-page.ts',
    find: '\n    requireFormToken(c, form, parts);',
    replace: '',
    caughtBy: CONNECTIONS,
  },
  'document-own': {
    rule: 'the document of a client names its own address (assistants)',
    file: 'src/serve/connect/client-document.ts',
    find: "if (!('client_id' in document) || document.client_id !== client_id) {",
    replace: "if (!('client_id' in document)) {",
    caughtBy: CONNECTIONS,
  },
  'document-limit': {
    rule: 'documents are read ten times a minute for one address (assistants)',
    file: 'src/serve/connect/client-document.ts',
    find: 'const DOCUMENTS_A_MINUTE = 10;',
    replace: 'const DOCUMENTS_A_MINUTE = 11;',
    caughtBy: CONNECTIONS,
  },
  'document-redirect': {
    rule: 'the document of a client is read without a redirect (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: 'if (response.statusCode !== 200 ||',
    replace: 'if (response.statusCode === 404 ||',
    caughtBy: DOCUMENT,
  },
  'document-size': {
    rule: 'the document of a client has at most 64 kB (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: 'if (bytes > MAX_BYTES) return null;',
    replace: 'if (bytes > MAX_BYTES + 1) return null;',
    caughtBy: DOCUMENT,
  },
  'doctor-other-server': {
    rule: 'doctor tells when another server answers at BASE_URL',
    file: 'src/commands/doctor/public-address.ts',
    find: '  if (named !== root + ASSISTANT) {',
    replace: '  if (named === undefined) {',
    caughtBy: ['test/commands/doctor/public-address.test.ts'],
  },
  'doctor-public-clock': {
    rule: 'doctor tells when the clock of the public address is wrong, ahead or behind',
    file: 'src/commands/doctor/public-address.ts',
    find: '  if (apart < -CLOCKS_AGREE_SECONDS || apart > CLOCKS_AGREE_SECONDS) {',
    replace: '  if (apart > CLOCKS_AGREE_SECONDS) {',
    caughtBy: ['test/commands/doctor/public-address.test.ts'],
  },
};
