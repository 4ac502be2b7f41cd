/** Redirects, forms of our own pages, and what a request without a token costs and gets. */
import type { Mutants } from '../mutant.ts';

export const ADDRESSES: Mutants = {
  'redirect-within': {
    rule: 'no redirect leaves the site (server 6)',
    file: 'src/serve/http/header-values.ts',
    find: 'if (RELATIVE.test(location)) return c.redirect(location, status);',
    replace: "if (location !== '') return c.redirect(location, status);",
    caughtBy: ['test/serve/http/hostile-addresses.test.ts'],
  },
  'attachment-plain': {
    rule: 'no name of a file breaks its header (server 6)',
    file: 'src/serve/http/header-values.ts',
    find: "name.replaceAll(/[^\\w.-]/g, '_')",
    replace: 'name',
    caughtBy: ['test/serve/http/hostile-addresses.test.ts'],
  },
  'form-scheme': {
    rule: 'an https sign-in refuses a form of an http page of the same host (server 13)',
    file: 'src/serve/pages/own-form.ts',
    find: 'return origin === own.origin || (URL.canParse(requested) && origin === new URL(requested).origin);',
    replace: 'return origin === own.origin || new URL(origin).host === host;',
    caughtBy: ['test/serve/pages/sign-in.test.ts'],
  },
  'form-port': {
    rule: 'a form of another port of the same host is refused (server 13)',
    file: 'src/serve/pages/own-form.ts',
    find: 'return origin === own.origin || (URL.canParse(requested) && origin === new URL(requested).origin);',
    replace: 'return new URL(origin).hostname === own.hostname || origin === new URL(requested).origin;',
    caughtBy: ['test/serve/pages/sign-in.test.ts'],
  },
  'limit-missing-token': {
    rule: 'a request without a token costs one request of its address',
    file: 'src/serve/limits/limit-requests.ts',
    find: 'if (c.res.status === 401 && namesToken(c)) rateLimiter.charge(address, FAILED_POINTS - 1);',
    replace: 'if (c.res.status === 401) rateLimiter.charge(address, FAILED_POINTS - 1);',
    caughtBy: ['test/serve/limits/limit-requests.test.ts'],
  },
  'limit-wrong-form': {
    rule: 'a wrong token in the sign-in form costs as much as one in a header',
    file: 'src/serve/limits/limit-requests.ts',
    find: ' || c.req.path === SIGN_IN_PATH;',
    replace: ';',
    caughtBy: ['test/serve/pages/sign-in.test.ts'],
  },
  'challenge-lines': {
    rule: 'each challenge of a 401 has a line of its own on the wire',
    file: 'src/serve/http/server.ts',
    find: '\n      separateChallenges(response, outgoing);',
    replace: '',
    caughtBy: ['test/serve/http/challenges.test.ts'],
  },
  'challenge-parameters': {
    rule: 'a challenge is not cut before its parameters',
    file: 'src/serve/http/header-values.ts',
    find: 'const NEXT_CHALLENGE = /, (?=[\\w-]+ )/;',
    replace: 'const NEXT_CHALLENGE = /, /;',
    caughtBy: ['test/serve/http/challenges.test.ts'],
  },
  'unknown-before-body': {
    rule: 'a path without a route is 404 before its body is refused',
    file: 'src/serve/http/node-refusals.ts',
    find: '} else if (hasBody(request) && isRoute(pathOf(request))) {',
    replace: '} else if (hasBody(request)) {',
    caughtBy: ['test/serve/http/unknown-routes.test.ts'],
  },
  'known-body-refused': {
    rule: 'a known route refuses a body that it does not read',
    file: 'src/serve/http/node-refusals.ts',
    find: '} else if (hasBody(request) && isRoute(pathOf(request))) {',
    replace: '} else if (hasBody(request) && !isRoute(pathOf(request))) {',
    caughtBy: ['test/serve/http/unknown-routes.test.ts'],
  },
  'answer-once-early': {
    rule: 'a request that was answered before its body gets no second answer',
    file: 'src/serve/http/answer-queue.ts',
    find: 'const request = last?.request ?? this.#answered;',
    replace: 'const request = last?.request ?? null;',
    caughtBy: ['test/serve/http/early-refusals.test.ts'],
  },
  'answer-once-whole': {
    rule: 'bytes after a whole request are refused, also when its answer came before its body',
    file: 'src/serve/http/answer-queue.ts',
    find: 'if (request === null || request.complete) return this.#afterAnswers(refuseUnparsed);',
    replace: 'if (request === null) return this.#afterAnswers(refuseUnparsed);',
    caughtBy: ['test/serve/http/early-refusals.test.ts'],
  },
};
