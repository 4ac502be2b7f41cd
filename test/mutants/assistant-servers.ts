/** The sign-in of assistants: what names the server, what it serves, and what it refuses to give. */
import type { Mutants } from './mutant.ts';

const SIGN_IN = ['test/attacks/assistant-sign-in.test.ts'];
const FLOW = ['test/serve/connect/connect.test.ts'];
const BELOW = ['test/serve/connect/below-a-path.test.ts'];
const OPENED = ['test/run/server/assistant-sign-in.test.ts'];
const DOCTOR = ['test/commands/doctor/public-address.test.ts'];
const BASE = ['test/base-url.test.ts'];

export const ASSISTANT_SERVERS: Mutants = {
  'metadata-challenge': {
    rule: 'a client without a token hears where to sign in (assistants)',
    file: 'src/serve/assistant/sign-in.ts',
    find: 'answer.headers.set(\'www-authenticate\', `Bearer realm="crossfoot", resource_metadata="${metadata}"`);',
    replace: 'answer.headers.set(\'www-authenticate\', `Bearer realm="crossfoot", resource="${metadata}"`);',
    caughtBy: BELOW,
  },
  'metadata-place': {
    rule: 'a path of BASE_URL stands behind the name of a document (assistants)',
    file: 'src/serve/auth/well-known.ts',
    find: "return `${origin}${document}${pathname === '/' ? '' : pathname}`;",
    replace: "return `${origin}${pathname === '/' ? '' : pathname}${document}`;",
    caughtBy: BELOW,
  },
  'metadata-other-place': {
    rule: 'a document stands at its own addresses only (assistants)',
    file: 'src/serve/auth/well-known.ts',
    find: 'if (pathname !== path && pathname !== document + tailOf(document)) {',
    replace: 'if (!path.startsWith(document)) {',
    caughtBy: BELOW,
  },
  'metadata-issuer': {
    rule: 'the metadata name the issuer of tokens (assistants)',
    file: 'src/serve/connect/addresses.ts',
    find: '    issuer,\n    authorization_endpoint',
    replace: '    issuer: baseUrl,\n    authorization_endpoint',
    caughtBy: SIGN_IN,
  },
  'pkce-secret': {
    rule: 'clients have PKCE alone, and no secret (assistants)',
    file: 'src/serve/connect/token-routes.ts',
    find: "if (fields.has('client_secret') || c.req.header('authorization') !== undefined) {",
    replace: "if (c.req.header('authorization') !== undefined) {",
    caughtBy: SIGN_IN,
  },
  'resource-asked': {
    rule: 'consent is for the assistant of this server (assistants)',
    file: 'src/serve/connect/authorization-request.ts',
    find: "if (!isResource(query.get('resource'), resource)) {",
    replace: "if (query.get('resource') === 'none') {",
    caughtBy: FLOW,
  },
  'resource-redeemed': {
    rule: 'tokens are given for the assistant of this server (assistants)',
    file: 'src/serve/connect/token-routes.ts',
    find: "if (!isResource(fields.get('resource'), resourceOf(parts.baseUrl()))) {",
    replace: "if (fields.get('resource') === 'none') {",
    caughtBy: SIGN_IN,
  },
  'answer-issuer-refusal': {
    rule: 'a refusal names the issuer, too (assistants)',
    file: 'src/serve/connect/consent-page.ts',
    find: '\n    iss: issuerOf(baseUrl),',
    replace: "\n    ...('code' in answer && { iss: issuerOf(baseUrl) }),",
    caughtBy: SIGN_IN,
  },
  'off-clients': {
    rule: 'with ASSISTANT_SIGN_IN=off no client is answered (assistants)',
    file: 'src/run/server/assistant-sign-in.ts',
    find: 'if (!assistantSignIn) return { signIn: null, authenticateClient: null };',
    replace: "if (!assistantSignIn && baseUrl() === '') return { signIn: null, authenticateClient: null };",
    caughtBy: OPENED,
  },
  'off-named': {
    rule: 'with ASSISTANT_SIGN_IN=off no sign-in is named (assistants)',
    file: 'src/serve/assistant/routes.ts',
    find: 'const signsIn = options.authenticateClient !== null;',
    replace: 'const signsIn = options.authenticateClient !== undefined;',
    caughtBy: FLOW,
  },
  'base-url-metadata': {
    rule: 'no header of a request names an address of the sign-in (assistants)',
    file: 'src/serve/connect/routes.ts',
    find: 'answerJson(c, signInMetadata(baseUrl()), {',
    replace: "answerJson(c, signInMetadata(`https://${c.req.header('host')}/v1`), {",
    caughtBy: SIGN_IN,
  },
  'base-url-challenge': {
    rule: 'no header of a request names the address in a challenge (assistants)',
    file: 'src/serve/assistant/routes.ts',
    find: 'return challenge(refusal, baseUrl());',
    replace: "return challenge(refusal, `https://${c.req.header('host')}/v1`);",
    caughtBy: BELOW,
  },
  'base-url-spelling': {
    rule: 'BASE_URL is named as clients spell it (assistants)',
    file: 'src/config.ts',
    find: 'baseUrl: value.BASE_URL === undefined ? null : new URL(value.BASE_URL).href, // as clients spell it',
    replace: 'baseUrl: value.BASE_URL ?? null,',
    caughtBy: BASE,
  },
  'doctor-status': {
    rule: 'doctor tells when the public address is not reached (assistants)',
    file: 'src/commands/doctor/public-address.ts',
    find: 'if (answer.status === 200) return',
    replace: 'if (answer.status < 400) return',
    caughtBy: DOCTOR,
  },
  'doctor-certificate': {
    rule: 'doctor tells of a certificate that is not trusted (assistants)',
    file: 'src/commands/doctor/public-address.ts',
    find: '    return warning(`${root} was not reached: ${reason(error)}`, REACH);',
    replace:
      '    return /certificate/.test(reason(error)) ? fine(root) : warning(`${root} was not reached`, REACH);',
    caughtBy: DOCTOR,
  },
  'doctor-server-document': {
    rule: 'doctor asks for what the sign-in serves, where clients ask (assistants)',
    file: 'src/commands/doctor/public-address.ts',
    find: "    if ('finding' in server) return server.finding;",
    replace: "    if ('finding' in server) return finding;",
    caughtBy: DOCTOR,
  },
};
