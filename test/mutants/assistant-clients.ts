/** The sign-in of assistants: what clients are, and how a person allows one. */
import type { Mutants } from './mutant.ts';

const SIGN_IN = ['test/attacks/assistant-sign-in.test.ts'];
const TOKENS = ['test/attacks/assistant-tokens.test.ts'];
const FLOW = ['test/serve/connect/connect.test.ts'];
const CONNECTIONS = ['test/serve/connect/connections.test.ts'];
const DOCUMENT = ['test/webhooks/read-document.test.ts'];
const ELSEWHERE = ['test/serve/frame/from-elsewhere.test.ts'];
const OPENED = ['test/run/server/assistant-sign-in.test.ts'];
const MIGRATION = 'schema/ledger/0044-assistant-sign-in.sql';

export const ASSISTANT_CLIENTS: Mutants = {
  'register-scheme': {
    rule: 'a code is sent to no program of the system (assistants)',
    file: 'src/serve/connect/redirect-address.ts',
    find: "return isProgram && url.protocol !== 'https:' ? null : 'its scheme is no known one';",
    replace: "return isProgram || url.protocol !== 'https:' ? null : 'its scheme is no known one';",
    caughtBy: FLOW,
  },
  'register-http': {
    rule: 'a code crosses no network in the clear (assistants)',
    file: 'src/serve/connect/redirect-address.ts',
    find: "if (url.protocol === 'http:') return LOOPBACK.test(text) ? null : 'http is only for this computer';",
    replace: "if (url.protocol === 'http:') return null;",
    caughtBy: FLOW,
  },
  'register-forgotten': {
    rule: 'a client that no person connects is forgotten after a day (assistants)',
    file: MIGRATION,
    find: "where c.registered_at < clock_timestamp() - interval '1 day'",
    replace: "where c.registered_at < clock_timestamp() - interval '2 days'",
    caughtBy: TOKENS,
  },
  'register-kept': {
    rule: 'a client that a person connected is kept (assistants)',
    file: MIGRATION,
    find: '\n      and not exists (select from vault.assistant_grants g where g.client = c.id)',
    replace: '',
    caughtBy: TOKENS,
  },
  'redirect-loopback-name': {
    rule: 'the names of this computer are not exchanged (assistants)',
    file: 'src/serve/connect/redirect-address.ts',
    find: "return address.replace(LOOPBACK, '$1');",
    replace: "return address.replace(LOOPBACK, 'http://localhost');",
    caughtBy: SIGN_IN,
  },
  'document-inside': {
    rule: 'no exception lets a description be read inside (assistants)',
    file: 'src/run/server/assistant-sign-in.ts',
    find: 'readDocument: (address) => readDocument(address, { allowed: allowAddresses([]) }),',
    replace:
      "readDocument: (address) => readDocument(address, { allowed: allowAddresses(['127.0.0.0/8']) }),",
    caughtBy: OPENED,
  },
  'document-guard': {
    rule: 'an address inside is not asked for a description (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: "if (url?.protocol !== 'https:' || allowed.refuseUrl(url) !== null) return null;",
    replace: "if (url?.protocol !== 'https:') return null;",
    caughtBy: DOCUMENT,
  },
  'document-lookup': {
    rule: 'a name leads to no description inside (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: '\n    lookup: guardedLookup(allowed),',
    replace: '',
    caughtBy: DOCUMENT,
  },
  'document-https': {
    rule: 'a description is read over https (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: "if (url?.protocol !== 'https:' || allowed.refuseUrl(url) !== null) return null;",
    replace: 'if (url === null || allowed.refuseUrl(url) !== null) return null;',
    caughtBy: DOCUMENT,
  },
  'document-id-https': {
    rule: 'a client is known by a document over https (assistants)',
    edits: [
      {
        file: 'src/serve/connect/client-document.ts',
        find: "return client_id.startsWith('https://');",
        replace: "return client_id.startsWith('http');",
      },
      {
        file: 'src/serve/connect/client-document.ts',
        find: "\n    url.protocol === 'https:' &&",
        replace: '',
      },
    ],
    caughtBy: CONNECTIONS,
  },
  'document-status': {
    rule: 'a description is read without a redirect of any kind (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: 'if (response.statusCode !== 200 ||',
    replace: 'if ((response.statusCode ?? 500) >= 400 ||',
    caughtBy: DOCUMENT,
  },
  'document-size-whole': {
    rule: 'all parts of a description have 64 kB together (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: 'bytes += part.length;',
    replace: 'bytes = part.length;',
    caughtBy: DOCUMENT,
  },
  'document-wait': {
    rule: 'a description is waited for 3 seconds (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: 'const PATIENCE_MS = 3_000;',
    replace: 'const PATIENCE_MS = 30_000;',
    caughtBy: DOCUMENT,
  },
  'document-wait-whole': {
    rule: 'one wait is for the whole description (assistants)',
    file: 'src/webhooks/read-document.ts',
    find: 'const signal = AbortSignal.timeout(timeout_ms);',
    replace: 'const signal = AbortSignal.timeout(2 * PATIENCE_MS);',
    caughtBy: DOCUMENT,
  },
  'document-limit-address': {
    rule: 'descriptions are counted for the address of the reader (assistants)',
    file: 'src/serve/connect/client-document.ts',
    find: 'if (!rateLimiter.take(`document:${network}`, DOCUMENTS_A_MINUTE).allowed) {',
    replace: 'if (!rateLimiter.take(`document:${network} ${client_id}`, DOCUMENTS_A_MINUTE).allowed) {',
    caughtBy: CONNECTIONS,
  },
  'document-secret': {
    rule: 'a client with a document has no secret (assistants)',
    file: 'src/serve/connect/client-document.ts',
    find: "  if (method !== 'none')",
    replace: "  if (method === 'private_key_jwt')",
    caughtBy: CONNECTIONS,
  },
  'consent-names-account': {
    rule: 'the page of consent names the account (assistants)',
    file: 'src/serve/connect/consent-page.ts',
    find: '<strong>${account}</strong>.',
    replace: 'your company.',
    caughtBy: FLOW,
  },
  'consent-names-place': {
    rule: 'the page of consent names where the answer goes (assistants)',
    file: 'src/serve/connect/consent-page.ts',
    find: 'Your answer goes to <strong>${placeOf(redirect_uri)}</strong>. Anybody can choose a name, so',
    replace: 'Your answer goes to the program. Anybody can choose a name, so',
    caughtBy: FLOW,
  },
  'consent-personal-form': {
    rule: 'the form of a reporting token allows no client (assistants)',
    file: 'src/serve/connect/consent-form.ts',
    find: '\n    requirePersonal(c);',
    replace: '',
    caughtBy: FLOW,
  },
  'consent-origin': {
    rule: 'the form of consent comes from a page of this server (assistants)',
    file: 'src/serve/frame/own-form.ts',
    find: "if (!isOwnOrigin(c.req.header('origin'), c.req.header('host'), baseUrl)) {",
    replace: "if (c.req.header('origin') === undefined) {",
    caughtBy: SIGN_IN,
  },
  'led-tab': {
    rule: 'no frame of another site opens a page of an account (assistants)',
    file: 'src/serve/frame/from-elsewhere.ts',
    find: " &&\n    req.header('sec-fetch-dest') === 'document'",
    replace: '',
    caughtBy: ELSEWHERE,
  },
  'led-method': {
    rule: 'no form of another site is led on (assistants)',
    file: 'src/serve/frame/from-elsewhere.ts',
    find: "\n    req.method === 'GET' &&",
    replace: '',
    caughtBy: ELSEWHERE,
  },
  'led-circle': {
    rule: 'no browser is led in a circle (assistants)',
    file: 'src/serve/frame/signed-in.ts',
    find: 'if (sent === undefined && isLedFromElsewhere(c)) {',
    replace: 'if (isLedFromElsewhere(c)) {',
    caughtBy: ELSEWHERE,
  },
};
