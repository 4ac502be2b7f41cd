/** The answers that refuse: the same on every route, so written once and referred to. */

import { errorShape } from '../live/shapes.ts';

interface Refusal {
  /** What it is called among the components of the contract. */
  readonly name: string;
  readonly when: string;
  /** A sentence that such an answer holds. */
  readonly message: string;
  /** Its headers beside those of every answer, with what each says. */
  readonly headers?: Readonly<Record<string, string>>;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  400: {
    name: 'ParameterRefused',
    when: 'A parameter is unknown, repeated or malformed; the sentence names it.',
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
    when: "The account's plan lacks API access, or the token reads reporting tables only and this is none.",
    message: "The account's plan does not include API access.",
  },
  412: {
    name: 'PreconditionFailed',
    when: 'What is here now has none of the tags of `If-Match`.',
    message: 'What is here now is not what If-Match names.',
  },
  416: {
    name: 'RangeNotSatisfiable',
    when: 'No byte of the file is in the range.',
    message: 'The file has 20480 bytes and none of them is in the range.',
    headers: { 'content-range': 'How many bytes the file has, as in `bytes */20480`.' },
  },
  429: {
    name: 'TooManyRequests',
    when: 'Too many requests with this token or from this address.',
    message: 'Too many requests with this access token.',
    headers: { 'retry-after': 'Seconds after which the next request is answered again.' },
  },
  500: {
    name: 'Failed',
    when: 'Something went wrong on our side; the log knows it by the request id.',
    message: 'Something went wrong on our side; the X-Request-Id of this answer leads us to it.',
  },
  503: {
    name: 'Unavailable',
    when: 'The service cannot answer right now.',
    message: 'The service cannot answer this right now; try again in a while.',
    headers: { 'retry-after': 'Seconds after which it is worth asking again.' },
  },
};

/** What any route may refuse, and what those refuse beside it that need a token. */
const OF_EVERY_ROUTE = ['400', '412', '429', '500', '503'];
const OF_TOKENS = ['401', '403'];

/** Where a refusal stands in the contract. */
export function refusalReference(status: string) {
  return { $ref: `#/components/responses/${refusalOf(status).name}` };
}

/** The statuses with which a route may refuse whatever it is about. */
export function commonRefusals(needsToken: boolean): readonly string[] {
  return needsToken ? [...OF_EVERY_ROUTE, ...OF_TOKENS] : OF_EVERY_ROUTE;
}

/** The 404 of a route: when it is given, and a sentence that such an answer holds. */
export function notFound(when: string, message: string) {
  const example = { error: { status: 404, message } };
  return { description: when, content: { 'application/json': { schema: errorShape, example } } };
}

/** Every refusal that is worded alike everywhere, as components of the contract. */
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
