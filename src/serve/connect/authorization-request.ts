/** The request with which a client sends a person to the page of consent (OAuth 2.1), read without looking anything up. */
import { readParameters } from './oauth-answer.ts';

/** PKCE: the base64url of a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/;

export interface AuthorizationRequest {
  readonly client_id: string;
  readonly redirect_uri: string;
  /** What the client wants back with the answer; null if it sent none. */
  readonly state: string | null;
  /** The challenge of PKCE, or what is wrong with the request: an error of OAuth and a sentence. */
  readonly asked: { readonly challenge: string } | Fault;
}

interface Fault {
  readonly error: string;
  readonly sentence: string;
}

/**
 * The request. A text says why it cannot be read: no client hears that, because no address can be trusted.
 * `resource` is the address of the assistant; every token is for it.
 */
export function readAuthorizationRequest(
  sent: URLSearchParams,
  resource: string,
): AuthorizationRequest | string {
  const query = readParameters(sent);
  if (typeof query === 'string') return query;
  const [client_id, redirect_uri] = [query.get('client_id'), query.get('redirect_uri')];
  if (client_id === null) return 'The client sent no client_id.';
  if (redirect_uri === null) return 'The client sent no redirect_uri.';
  return { client_id, redirect_uri, state: query.get('state'), asked: faultOf(query, resource) };
}

function faultOf(query: URLSearchParams, resource: string): AuthorizationRequest['asked'] {
  const challenge = query.get('code_challenge') ?? '';
  const unsupported = ['request', 'request_uri', 'registration'].find((name) => query.has(name));
  if (unsupported !== undefined)
    return fault('invalid_request', `The parameter ${unsupported} is not served.`);
  if (query.get('response_type') !== 'code') {
    return fault('unsupported_response_type', 'response_type must be code.');
  }
  if ((query.get('response_mode') ?? 'query') !== 'query') {
    return fault('invalid_request', 'response_mode must be query.');
  }
  // Without a method OAuth means `plain`, which protects nothing on the way to this page.
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    return fault('invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256.');
  }
  if (!isResource(query.get('resource'), resource)) {
    return fault('invalid_target', `resource must be ${resource}.`);
  }
  return { challenge };
}

function fault(error: string, sentence: string): Fault {
  return { error, sentence };
}

/** Whether tokens are wanted for the assistant. Older clients name no resource; there is one only. */
export function isResource(named: string | null, resource: string): boolean {
  return named === null || URL.parse(named)?.href === resource;
}
