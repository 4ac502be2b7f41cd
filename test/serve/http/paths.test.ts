import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { fakeApp, type FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { exchange, parseAnswer } from './raw-http.ts';

const TABLE = 'costs.parquet';
/** The ways to write a step upwards, an end of text, a wild card or nothing at all, plain and encoded twice. */
const SEGMENTS = words(
  '.. . .... ~ %2e%2e %2e %2E. .%2e %252e%252e %c0%ae%c0%ae %uff0e',
  '%00 %20 %0a %0d%0aX:%20y %ff % %zz * %2a $ %27 %22 ; @ x',
);
const SEPARATORS = words(String.raw`/ // %2f %252f \ %5c %255c %00 ;/`);

/** Names that are not a published table's, although a careless server would find one in them. */
const NAMES = words(
  'COSTS.parquet Costs.parquet costs.PARQUET costs.Parquet cost.parquet costs_.parquet .parquet',
  'costs.parquet/ costs.parquet// costs.parquet/. costs.parquet%2f costs.parquet.parquet costs.parquet%00',
  'costs.parquet.gz costs.parquet%20 %20costs.parquet costs.parquet;a=b costs.parquet#x /costs.parquet',
  'costs%00.parquet costs%2eparquet%2f costs%252eparquet c%C3%B6sts.parquet %EF%BD%83osts.parquet',
  'costs,parquet co/sts.parquet __proto__.parquet constructor.parquet costs costs.blocks',
  'manifest.json audit.json control.json ./costs.parquet/.. x/../costs.parquet ../latest/costs.parquet',
);

/** Ids that are not a snapshot's. */
const IDS = words(
  '%00 0 -1 1e3 * __proto__ %2e%2e ..%2f8%2fs%2fx %5c..%5c 20261399T020000Z 2026112%D9%A0T020000Z',
  `${LATEST.toLowerCase()} ${LATEST}%00 ${LATEST}%20 %20${LATEST} ${LATEST}Z ${LATEST}%2f ${LATEST.slice(1)}`,
  `${LATEST}-00000000000000000000000000000000`,
);

const PLACES = ['/v1/reporting/latest', `/v1/reporting/snapshots/${LATEST}`];
const OUTSIDE = [
  ...PLACES.flatMap((place) => [
    ...SEGMENTS.flatMap((segment) => SEPARATORS.map((between) => `${place}/${segment}${between}${TABLE}`)),
    ...SEGMENTS.flatMap((segment) => [
      `${place}/costs${segment}.parquet`,
      `${place}/${segment}costs.parquet`,
    ]),
    ...NAMES.map((name) => `${place}/${name}`),
  ]),
  ...IDS.flatMap((id) => [
    `/v1/reporting/snapshots/${id}`,
    `/v1/reporting/snapshots/${id}/`,
    `/v1/reporting/snapshots/${id}/${TABLE}`,
  ]),
  '/v1/reporting/snapshots/',
  // The name of the newest snapshot leads to its manifest, and not to a file.
  '/v1/reporting/snapshots/latest/',
  `/v1/reporting/snapshots/latest/${TABLE}`,
  `/v1/reporting/${TABLE}`,
  String.raw`/v1/reporting\latest\costs.parquet`,
  `/v1/../v1/reporting/latest/${TABLE}`,
  `/v1/%2E/reporting/latest/${TABLE}`,
  `/v1/reporting/snapshots/${TABLE}`,
  `/v1/reporting/snapshots/${LATEST}/${LATEST}/${TABLE}`,
];

function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}

function isError(body: string, status: number): boolean {
  try {
    return (JSON.parse(body) as ErrorBody).error.status === status;
  } catch {
    return false;
  }
}

interface ErrorBody {
  readonly error: { readonly status: number; readonly message: string };
}

describe('A-17: paths that lead nowhere', () => {
  let server: Listener;
  let snapshots: FakeSnapshots;
  beforeAll(async () => {
    const fake = fakeApp();
    ({ snapshots } = fake);
    const logger = createLogger('silent');
    server = await listen(fake.app.fetch, { host: '127.0.0.1', port: 0, logger });
  });
  afterAll(() => server.close(0));

  it.each(['GET', 'HEAD'])('get 404 or 400 in the one error shape, and open nothing: %s', async (method) => {
    const wrong: string[] = [];
    for (const path of OUTSIDE) {
      const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${TOKENS.personal}\r\n`;
      const text = await exchange(server.port, `${method} ${path} HTTP/1.1\r\n${head}\r\n`);
      const { status, headers, body } = parseAnswer(text);
      const shaped = headers.includes('\r\ncontent-type: application/json');
      // What Node's parser rejects has a body on HEAD too: it did not get as far as the method.
      const told = (method === 'HEAD' && body === '') || isError(body, status);
      if (!shaped || !told || ![400, 404].includes(status)) wrong.push(`${status} ${path}`);
    }
    expect(wrong).toEqual([]);
    expect(snapshots.opened).toBe(0);
  });
});
