/** Draws the fault that a request to a bucket meets, of the rows F-20 to F-24, F-27 and F-28 of the fault matrix. */
import type { Fault } from '../../support/s3-faults.ts';
import type { S3Request } from '../../support/s3-objects.ts';
import type { Chance } from '../chance.ts';

/** Any request may meet these. */
const EVERYWHERE: readonly (readonly [row: string, fault: Fault])[] = [
  ['F-20', { answer: 500, code: 'InternalError' }],
  ['F-20', { answer: 503, code: 'SlowDown' }],
  ['F-20', { answer: 503, code: 'ServiceUnavailable' }],
  ['F-20', { answer: 429, code: 'TooManyRequests' }],
  ['F-21', { reset: 'before' }],
  ['F-27', { answer: 403, code: 'RequestTimeTooSkewed' }],
  ['F-27', { answer: 400, code: 'ExpiredToken' }],
];

/** Only a create may meet these. After the first four the object is stored, although the client gets an error. */
const OF_CREATES: readonly (readonly [row: string, fault: Fault])[] = [
  ['F-21', { reset: 'after' }],
  ['F-21', { reset: 'after' }],
  ['F-21', { appliedButAnswers: 500, code: 'InternalError' }],
  ['F-21', { appliedButAnswers: 503, code: 'SlowDown' }],
  ['F-22', { answer: 409, code: 'ConditionalRequestConflict' }],
  ['F-22', { answer: 400, code: 'BadDigest' }],
  ['F-22', { answer: 400, code: 'IncompleteBody' }],
];

function ofReads(chance: Chance): readonly (readonly [row: string, fault: Fault])[] {
  return [
    ['F-23', { cutAfter: 0 }],
    ['F-23', { cutAfter: 1 }],
    ['F-23', { cutAfter: 1 + chance.below(2_000) }],
    ['F-23', { announcesMore: 1 + chance.below(5) }],
    ['F-23', { longerBy: 1 + chance.below(5) }],
  ];
}

/** The share of faults with wrong bytes or a redirect. It is small, because they can end a build. */
const HARD = 0.02;
/** The share of faults without any answer. */
const SILENT = 0.002;

/**
 * Returns a function that draws a fault for a request with this probability, and otherwise null. `met` counts the drawn faults
 * by their row of the matrix.
 */
export function weatherOf(
  chance: Chance,
  probability: number,
  met: Record<string, number>,
): (request: S3Request) => Fault | null {
  return ({ method, query }) => {
    if (!chance.happens(probability)) return null;
    const [row, fault] = draw(method, query.has('list-type'), chance);
    met[row] = (met[row] ?? 0) + 1;
    return fault;
  };
}

function draw(method: string, listing: boolean, chance: Chance): readonly [row: string, fault: Fault] {
  if (chance.happens(SILENT)) return ['F-21', { silent: true }];
  if (chance.happens(HARD)) {
    if (method === 'GET' && !listing) return ['F-24', { otherBytes: Buffer.from('an older object') }];
    const elsewhere = { location: 'http://127.0.0.1:9/', 'x-amz-bucket-region': 'us-west-2' };
    return ['F-28', { answer: 307, code: 'TemporaryRedirect', headers: elsewhere }];
  }
  if (method === 'PUT') return chance.oneOf([...EVERYWHERE, ...OF_CREATES]);
  return chance.oneOf(method === 'GET' ? [...EVERYWHERE, ...ofReads(chance)] : EVERYWHERE);
}
