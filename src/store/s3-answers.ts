/** What the answer of a bucket, or the lack of one, means for the port. */
import { CrossfootError } from '../errors.ts';

/**
 * `stands`: an object with this key is there. `damaged`: other bytes arrived than were announced. `unknown`: the
 * call may have been applied, or was put off. `stale`: the credentials or the clock of the signature are too old.
 * `refused`: trying again is pointless.
 */
export type Answer = 'stands' | 'absent' | 'too short' | 'damaged' | 'stale' | 'unknown' | 'refused';

const BY_NAME: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['BadDigest', 'damaged'],
  ['XAmzContentChecksumMismatch', 'damaged'],
  ['XAmzContentSHA256Mismatch', 'damaged'],
  // Half a body arrived, or none in time: the next one may arrive whole.
  ['IncompleteBody', 'unknown'],
  ['RequestTimeout', 'unknown'],
  ['ExpiredToken', 'stale'],
  ['RequestExpired', 'stale'],
  ['RequestTimeTooSkewed', 'stale'],
  ['TokenRefreshRequired', 'stale'],
  ['NoSuchBucket', 'refused'],
  // A 501, and the same tomorrow.
  ['NotImplemented', 'refused'],
]);

const BY_STATUS: ReadonlyMap<number, Answer> = new Map<number, Answer>([
  [404, 'absent'],
  [408, 'unknown'],
  // Another create of the same key is under way: its outcome decides ours.
  [409, 'unknown'],
  [412, 'stands'],
  [416, 'too short'],
  [429, 'unknown'],
]);

/** Reads what the SDK threw. */
export function answerOf(error: unknown): Answer {
  const { name, status, code } = facts(error);
  const known = BY_NAME.get(name) ?? (status === null ? undefined : BY_STATUS.get(status));
  if (known !== undefined) return known;
  if (status !== null) return status >= 500 || status < 300 ? 'unknown' : 'refused';
  // No answer at all: a connection that was refused, reset, cut or silent for too long.
  return code !== null || name === 'TimeoutError' ? 'unknown' : 'refused';
}

/** The error of the port for what the SDK threw while it tried to `step` an object. */
export function failureOf(error: unknown, step: string): CrossfootError {
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
  'Set AWS_REGION, or S3_ENDPOINT, to where the bucket is; redirects are not followed, because the credentials would go along.';
const FORBIDDEN =
  'Allow these credentials to get, put and delete objects below the prefix and to list the bucket: without the last, an absent object looks forbidden.';
const RENEW = 'Renew the credentials: they are expired or not those of this store.';

const HINTS: ReadonlyMap<string, string> = new Map([
  ['AuthorizationHeaderMalformed', ELSEWHERE],
  [
    'CredentialsProviderError',
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give this machine a role.',
  ],
  ['ExpiredToken', RENEW],
  ['InvalidAccessKeyId', RENEW],
  ['NoSuchBucket', 'Make the bucket, or correct OBJECT_STORE, AWS_REGION and S3_ENDPOINT.'],
  [
    'NotImplemented',
    'This work-alike lacks what publishing needs; S3_CHECKSUMS=signed leaves out what it may lack.',
  ],
  ['RequestTimeTooSkewed', "Set this machine's clock: it differs too much from that of the store."],
  ['SignatureDoesNotMatch', RENEW],
  ['TokenRefreshRequired', RENEW],
]);

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
    name: error.name,
    status: typeof status === 'number' ? status : null,
    code: 'code' in error && typeof error.code === 'string' ? error.code : null,
  };
}
