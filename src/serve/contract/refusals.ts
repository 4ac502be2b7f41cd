/** Refusals that are the same on every route, declared once and referenced. */

import { errorShape } from './shapes.ts';

interface Refusal {
  /** The name of the component in the contract. */
  readonly name: string;
  readonly when: string;
  /** An example message. */
  readonly message: string;
  /** Additional headers, each with its meaning. */
  readonly headers?: Readonly<Record<string, string>>;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  400: {
    name: 'ParameterRefused',
    when: 'A parameter is unknown, repeated or malformed; the message names it.',
    message: 'This route does not accept the parameter "windw".',
  },
  401: {
    name: 'TokenRefused',
    when: 'The token is missing, unknown or expired, or its holder can no longer open the account.',
    message: 'The access token is unknown, expired or no longer valid.',
    headers: { 'www-authenticate': 'How a token is sent: a challenge for Bearer and one for Basic.' },
  },
  403: {
    name: 'NotIncluded',
    when: "The account's plan lacks API access, or a reporting token was used outside `/reporting`.",
    message: "The account's plan does not include API access.",
  },
  412: {
    name: 'PreconditionFailed',
    when: 'The current entity tag is none of those in `If-Match`.',
    message: 'The current version is not the one that If-Match names.',
  },
  416: {
    name: 'RangeNotSatisfiable',
    when: 'The range lies outside the file.',
    message: 'The file has 20480 bytes; the range lies outside it.',
    headers: { 'content-range': 'How many bytes the file has, as in `bytes */20480`.' },
  },
  429: {
    name: 'TooManyRequests',
    when: 'Too many requests with this token or from this address.',
    message: 'Too many requests with this access token.',
    headers: { 'retry-after': 'Seconds until the next request is accepted.' },
  },
  500: {
    name: 'Failed',
    when: 'Internal error; the log has it under the request id.',
    message: 'Internal error. Quote the X-Request-Id of this response to support.',
  },
  503: {
    name: 'Unavailable',
    when: 'The service cannot answer right now.',
    message: 'The service cannot answer right now; try again in some seconds.',
    headers: { 'retry-after': 'Seconds to wait before the next attempt.' },
  },
};

/** The refusals of every route, and the additional ones of routes that need a token. */
const OF_EVERY_ROUTE = ['400', '412', '429', '500', '503'];
const OF_TOKENS = ['401', '403'];

/** The reference to a refusal's component. */
export function refusalReference(status: string) {
  return { $ref: `#/components/responses/${refusalOf(status).name}` };
}

/** The statuses with which every route may refuse. */
export function commonRefusals(needsToken: boolean): readonly string[] {
  return needsToken ? [...OF_EVERY_ROUTE, ...OF_TOKENS] : OF_EVERY_ROUTE;
}

/** The 404 of a route: when it occurs, and an example message. */
export function notFound(when: string, message: string) {
  const example = { error: { status: 404, message } };
  return { description: when, content: { 'application/json': { schema: errorShape, example } } };
}

/** The refusals of every route, as components of the contract. */
export function refusalComponents() {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([status, refusal]) => [refusal.name, response(status, refusal)]),
  );
}

function response(status: string, { when, message, headers = {} }: Refusal) {
  return {
    description: when,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        { description, required: true, schema: { type: 'string' as const } },
      ]),
    ),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { error: { status: Number(status), message } },
      },
    },
  };
}

function refusalOf(status: string): Refusal {
  const refusal = REFUSALS[status];
  if (refusal === undefined) throw new RangeError(`no route refuses with ${status}`);
  return refusal;
}
