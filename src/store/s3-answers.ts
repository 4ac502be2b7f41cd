/** Classifies the answers of a bucket, and missing answers, and makes the store's errors of them. */
import { CrossfootError } from '../errors.ts';

/**
 * `stands`: an object with this key exists already. `absent`: there is no such object. `too short`: the object ends before the
 * requested range. `damaged`: the bucket received other bytes than were announced. `unknown`: the call may or may not have had
 * an effect; a retry tells. `stale`: the credentials or the signature's time are too old. `refused`: a retry is pointless.
 */
export type CreateAnswer = 'stands' | 'absent' | 'too short' | 'damaged' | 'stale' | 'unknown' | 'refused';

const BY_NAME: ReadonlyMap<string, CreateAnswer> = new Map<string, CreateAnswer>([
  ['BadDigest', 'damaged'],
  ['XAmzContentChecksumMismatch', 'damaged'],
  ['XAmzContentSHA256Mismatch', 'damaged'],
  // The bucket got only a part of the body, or none in time: a retry may succeed.
  ['IncompleteBody', 'unknown'],
  ['RequestTimeout', 'unknown'],
  ['ExpiredToken', 'stale'],
  ['RequestExpired', 'stale'],
  ['RequestTimeTooSkewed', 'stale'],
  ['TokenRefreshRequired', 'stale'],
  ['NoSuchBucket', 'refused'],
  // A look-up refused every address of the host: see `guarded-lookup.ts`.
  ['AddressRefused', 'refused'],
  // A 501: a retry gets the same answer.
  ['NotImplemented', 'refused'],
]);

const BY_STATUS: ReadonlyMap<number, CreateAnswer> = new Map<number, CreateAnswer>([
  [404, 'absent'],
  [408, 'unknown'],
  // Another create of the same key is running: retry to learn which one wins.
  [409, 'unknown'],
  [412, 'stands'],
  [416, 'too short'],
  [429, 'unknown'],
]);

/** Classifies an error of the SDK. */
export function answerOf(error: unknown): CreateAnswer {
  const { name, status, code } = facts(error);
  const known = BY_NAME.get(name) ?? (status === null ? undefined : BY_STATUS.get(status));
  if (known !== undefined) return known;
  if (status !== null) return status >= 500 || status < 300 ? 'unknown' : 'refused';
  // No answer: the connection was refused, reset, closed or silent for too long.
  return code !== null || name === 'TimeoutError' ? 'unknown' : 'refused';
}

/** The store's error for an error of the SDK. `step` is a verb, such as `read`. */
export function storeError(error: unknown, step: string): CrossfootError {
  if (error instanceof CrossfootError) return error;
  const { name, status, code } = facts(error);
  const said = status === null ? (code ?? name) : `${status} ${name}`;
  const options = { cause: error, data: { step, said } };
  const answer = answerOf(error);
  if (answer === 'damaged') {
    return new CrossfootError(
      'store_checksum_mismatch',
      `store: the bucket received other bytes than were announced (${said}).`,
      options,
    );
  }
  if (answer === 'unknown') {
    return new CrossfootError(
      'store_outcome_unknown',
      `store: the bucket did not say whether it could ${step} an object (${said}).`,
      options,
    );
  }
  const hint = hintFor(name, status);
  return new CrossfootError(
    'store_unavailable',
    `store: the bucket refused to ${step} an object (${said}).`,
    hint === undefined ? options : { ...options, hint },
  );
}

function hintFor(name: string, status: number | null): string | undefined {
  const hint = HINTS.get(name);
  if (hint !== undefined) return hint;
  if (status !== null && status >= 300 && status < 400) return ELSEWHERE;
  return status === 403 ? FORBIDDEN : undefined;
}

const ELSEWHERE =
  'Set AWS_REGION, or S3_ENDPOINT, to the location of the bucket. Redirects are not followed, because they would receive the credentials.';
const FORBIDDEN =
  'Allow these credentials to get, put and delete objects below the prefix and to list the bucket: without the right to list, a missing object looks forbidden.';
const RENEW = 'Renew the credentials: they have expired or belong to another store.';

const HINTS: ReadonlyMap<string, string> = new Map([
  ['AuthorizationHeaderMalformed', ELSEWHERE],
  [
    'CredentialsProviderError',
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give this machine a role.',
  ],
  ['ExpiredToken', RENEW],
  ['InvalidAccessKeyId', RENEW],
  ['NoSuchBucket', 'Create the bucket, or correct OBJECT_STORE, AWS_REGION and S3_ENDPOINT.'],
  [
    'NotImplemented',
    'This S3-compatible store lacks a function that publishing needs. Try S3_CHECKSUMS=signed, which omits the checksum header.',
  ],
  ['RequestTimeTooSkewed', "Set this machine's clock: it differs too much from the store's clock."],
  ['SignatureDoesNotMatch', RENEW],
  ['TokenRefreshRequired', RENEW],
]);

/** A code as S3 and Node write it. The text of another server may be anything, and of any length. */
const CODE = /^[\w.-]{1,64}$/;

function facts(error: unknown): {
  readonly name: string;
  readonly status: number | null;
  readonly code: string | null;
} {
  if (!(error instanceof Error)) return { name: typeof error, status: null, code: null };
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined;
  const status: unknown =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined;
  return {
    name: CODE.test(error.name) ? error.name : 'with an unreadable code',
    status: typeof status === 'number' ? status : null,
    code: 'code' in error && typeof error.code === 'string' ? error.code : null,
  };
}
