/** Requests: what is refused, and how much one client may ask. */
import type { Mutants } from '../mutant.ts';

export const REQUESTS: Mutants = {
  'client-gone': {
    rule: 'a client that goes away inside a body is no fault of the server',
    file: 'src/serve/http/read-body.ts',
    find: "throw new CrossfootError('client_gone', 'The client went away before its request was whole.', { cause });",
    replace:
      "throw cause ?? new CrossfootError('client_gone', 'The client went away before its request was whole.', { cause });",
    caughtBy: ['test/serve/http/access-log.test.ts'],
  },
  'client-half-closed': {
    rule: 'a client that closes its side after its request is answered',
    file: 'src/serve/http/server.ts',
    find: 'Object.assign(server, { httpAllowHalfOpen: true });',
    replace: 'Object.assign(server, { httpAllowHalfOpen: false });',
    caughtBy: ['test/serve/http/answer-queue.test.ts'],
  },
  'limit-address': {
    rule: 'an address has so many requests a minute (attack A-16)',
    file: 'src/serve/limits/limit-requests.ts',
    find: 'if (refusal === null) await next();',
    replace: "if (refusal === null || c.req.method === 'GET') await next();",
    caughtBy: ['test/serve/limits/limit-requests.test.ts'],
  },
  'limit-batch': {
    rule: 'a message is one question (attack A-33)',
    file: 'src/serve/assistant/request-body.ts',
    find: 'if (Array.isArray(message)) {',
    replace: 'if (Array.isArray(message) && message.length > 100) {',
    caughtBy: ['test/serve/assistant/protocol.test.ts'],
  },
  'limit-body': {
    rule: 'a message to the assistant is small (attack A-33)',
    file: 'src/serve/assistant/request-body.ts',
    find: 'export const MAX_BODY_BYTES = 64 * 1024;',
    replace: 'export const MAX_BODY_BYTES = 64 * 1024 * 1024;',
    caughtBy: ['test/serve/assistant/protocol.test.ts'],
  },
  'limit-connections': {
    rule: 'an address holds so many connections (attack A-21)',
    file: 'src/serve/http/connections.ts',
    find: '\n    if (count > most) socket.destroy();',
    replace: '',
    caughtBy: ['test/serve/http/connections.test.ts'],
  },
  'limit-failures': {
    rule: 'a wrong token weighs twenty requests (attack A-16)',
    file: 'src/serve/limits/limit-requests.ts',
    find: 'const FAILED_POINTS = 20;',
    replace: 'const FAILED_POINTS = 1;',
    caughtBy: ['test/serve/limits/limit-requests.test.ts'],
  },
  'limit-forwarded': {
    rule: 'only a trusted proxy says whose request it is (attack A-16)',
    file: 'src/serve/http/client-address.ts',
    find: 'while (isTrusted(address)) {',
    replace: "while (address !== '') {",
    caughtBy: ['test/serve/http/client-address.test.ts'],
  },
  'limit-health': {
    rule: 'the health routes stand outside every limit',
    edits: [
      {
        file: 'src/serve/app.ts',
        find: 'compressText,',
        replace: `compressText,
    limitRequests(parts),`,
      },
      { file: 'src/serve/app.ts', find: '\n  app.use(limitRequests(parts));', replace: '' },
    ],
    caughtBy: ['test/serve/limits/limit-requests.test.ts'],
  },
  'limit-mapped': {
    rule: 'an IPv4 address inside IPv6, in any spelling, has the limit of that IPv4 address',
    file: 'src/serve/http/client-address.ts',
    find: "return mapped?.flatMap((group) => [group >> 8, group & 0xff]).join('.') ?? address.toLowerCase();",
    replace: 'return mapped?.join("?") === "" ? "" : address.toLowerCase();',
    caughtBy: ['test/serve/http/client-address.test.ts'],
  },
  'limit-slow-reader-after-others': {
    rule: 'every slow reader is cut off, also after another transfer has ended (attack A-21)',
    file: 'src/serve/http/transfers.ts',
    find: '\n    last.index = index;',
    replace: '',
    caughtBy: ['test/serve/http/transfers.test.ts'],
  },
  'limit-slow-reader': {
    rule: 'a reader keeps a least rate (attack A-21)',
    file: 'src/serve/http/transfers.ts',
    find: 'return ms >= MAX_MS || (ms >= GRACE_MS && bytes * 1000 < LEAST_BYTES_PER_SECOND * ms);',
    replace: 'return ms >= MAX_MS || (ms >= GRACE_MS && bytes === 0);',
    caughtBy: ['test/serve/http/transfers.test.ts'],
  },
  'request-body': {
    rule: 'a route takes no body (attack A-22)',
    file: 'src/serve/http/node-refusals.ts',
    find: '} else if (Number(length) > 0 || encoding !== undefined) {',
    replace: '} else if (Number(length) > 1_000_000_000) {',
    caughtBy: ['test/serve/http/server.test.ts'],
  },
  'request-headers': {
    rule: 'a request has at most fifty headers (attack A-23)',
    file: 'src/serve/http/node-refusals.ts',
    find: 'const MAX_HEADERS = 50;',
    replace: 'const MAX_HEADERS = 500;',
    caughtBy: ['test/serve/http/server.test.ts'],
  },
  'request-host-ignored': {
    rule: 'the host of a target in absolute form stands before the Host header',
    file: 'src/serve/http/request-target.ts',
    find: `request.headers.host = authority;
  request.rawHeaders = [
    ...request.rawHeaders.filter((_, index, all) => !isHost(all[index - (index % 2)])),`,
    replace: `request.rawHeaders = [
    ...request.rawHeaders,`,
    caughtBy: ['test/serve/http/server.test.ts'],
  },
  'request-method-allow': {
    rule: 'a 405 names in Allow every method of its path',
    file: 'src/serve/app.ts',
    find: "const allow = methods.toSorted().join(', ');",
    replace: "const allow = methods.slice(0, 2).toSorted().join(', ');",
    caughtBy: ['test/serve/app.test.ts'],
  },
  'request-method': {
    rule: 'every route is a GET (attack A-26)',
    file: 'src/serve/app.ts',
    find: '\n    methodNotAllowed({ app, onMethodNotAllowed: (_, methods) => refuseMethod(methods) }),',
    replace: '',
    caughtBy: ['test/serve/app.test.ts'],
  },
  'request-one-host': {
    rule: 'a request has one Host header',
    file: 'src/serve/http/request-target.ts',
    find: 'if (hosts.length > 1) return TWO_HOSTS;',
    replace: 'if (hosts.length > 9) return TWO_HOSTS;',
    caughtBy: ['test/serve/http/server.test.ts'],
  },
  'request-own-host': {
    rule: 'a target in absolute form names this host',
    file: 'src/serve/http/request-target.ts',
    find: 'if (requested === null || !own.includes(requested)) return BAD_TARGET;',
    replace: 'if (requested === null || own.length === 0) return BAD_TARGET;',
    caughtBy: ['test/serve/http/server.test.ts'],
  },
  'request-path': {
    rule: 'a path has no dot segment, backslash or fragment (attack A-17)',
    file: 'src/serve/http/node-refusals.ts',
    find: "if (BENT_PATH.test(request.url ?? '')) {\n    return { status: 400, message: 'The path contains dot segments, a backslash or a fragment.' };\n  }",
    replace: String.raw`if (BENT_PATH.test(request.url ?? '')) request.url = request.url?.replaceAll('\\', '/') ?? '';`,
    caughtBy: ['test/serve/http/paths.test.ts'],
  },
  'request-stranger': {
    rule: 'the assistant answers no other host or page (attack A-33)',
    file: 'src/serve/assistant/routes.ts',
    find: 'if (refusal !== null) return refusal;',
    replace: 'if (refusal?.status === 500) return refusal;',
    caughtBy: ['test/serve/assistant/protocol.test.ts'],
  },
  'request-two-tokens': {
    rule: 'two Authorization headers are refused (attack A-15)',
    file: 'src/serve/http/node-refusals.ts',
    find: "if (names.filter((name) => name === 'authorization').length > 1) {",
    replace: "if (names.filter((name) => name === 'authorization').length > 2) {",
    caughtBy: ['test/serve/http/server.test.ts'],
  },
  'request-unknown-method': {
    rule: 'an unknown method is 501',
    file: 'src/serve/http/node-refusals.ts',
    find: "if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(lineOf(error))) return UNKNOWN_METHOD;",
    replace: "if (code === 'HPE_NO_METHOD' && REQUEST_LINE.test(lineOf(error))) return UNKNOWN_METHOD;",
    caughtBy: ['test/serve/http/server.test.ts'],
  },
  'serve-reads-only': {
    rule: 'serve opens the store to read it: a store that cannot be written is served',
    edits: [
      {
        file: 'src/run/server/service.ts',
        find: "import { openStoreToRead } from '../object-store.ts';",
        replace: "import { openObjectStore } from '../object-store.ts';",
      },
      {
        file: 'src/run/server/service.ts',
        find: 'const store = await openStoreToRead(settings);',
        replace: 'const store = await openObjectStore(settings);',
      },
    ],
    caughtBy: ['test/run/server/read-only-store.test.ts'],
  },
};
