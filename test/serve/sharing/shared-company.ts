/** Four published versions of account 7, as a server shares them twenty days after the first. */
import { expect } from 'vitest';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import {
  aBuild,
  ACCOUNT,
  DAY,
  HOUR,
  MIDNIGHT,
  publishNow,
  SECOND,
} from '../../snapshot/builder/build-harness.ts';
import { flipStored, markTools, scrubNow } from '../../snapshot/keep/scrub-harness.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';

/** A request as the tests make it. */
interface Asked {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A quarter of a second within the second that the id names. */
const PART = SECOND / 4n;
export const IDS = ['20260301T000000Z', '20260302T000000Z', '20260303T000000Z', '20260304T000000Z'] as const;
/** When version 2 was built, to the microsecond. */
export const SECOND_AT = MIDNIGHT + DAY + PART;

/**
 * Version 1 has expired, 2 is pinned and retracted, 3 is pinned and its costs are quarantined, 4 is the newest and retracted
 * too. The snapshot table of version 4 has no rows.
 */
export async function shareCompany() {
  const clock = { now: MIDNIGHT + 4n * DAY };
  const store = clockedStore(clock);
  for (const [index, id] of IDS.entries()) {
    const build = aBuild(id, MIDNIGHT + BigInt(index) * DAY + PART);
    const tables = build.tables.map((table) => ({ ...table, row_count: index === 3 ? 0 : 1 }));
    await publishNow(store, { ...build, tables });
  }
  const tools = markTools(store, clock);
  const wanted = { account_id: ACCOUNT, by: 'test', now: clock.now, until: MIDNIGHT + 90n * DAY };
  await pin({ ...wanted, snapshot_id: IDS[1], name: 'close-2026-02' }, tools);
  await pin({ ...wanted, snapshot_id: IDS[2], name: 'year-end' }, tools);
  await pin({ ...wanted, snapshot_id: IDS[1], name: 'year-end' }, tools);
  await retract({ ...wanted, snapshot_id: IDS[1], reason: 'A bill twice.', replaced_by: IDS[3] }, tools);
  await retract({ ...wanted, snapshot_id: IDS[3], reason: 'A bill twice.', replaced_by: null }, tools);
  flipStored(store.objects, /20260303T.*costs\.parquet$/);
  clock.now = MIDNIGHT + 12n * DAY; // a scrub reads what was not read for a week
  await scrubNow(store, clock);
  clock.now = MIDNIGHT + 20n * DAY + HOUR;
  const snapshots = createReader({ store, now: () => clock.now, onFault: () => undefined });
  const { app } = fakeApp({ snapshots, now: () => clock.now });

  /** Asks with the reporting token of the account, unless the headers name another. */
  async function ask(path: string, init: Asked = {}): Promise<Response> {
    const { headers = {} } = init;
    if (path.startsWith('/links/')) return await app.request(path, init);
    const own = { authorization: `Bearer ${TOKENS.reporting}`, ...headers };
    return await app.request(`/delta-sharing${path}`, { ...init, headers: own });
  }

  /** Asks for the file of a table. */
  const query = (body: unknown, path = '/shares/crossfoot/schemas/reporting/tables/costs', headers = {}) =>
    ask(`${path}/query`, { method: 'POST', body: JSON.stringify(body), headers });

  /** Turns one bit of a stored file of a version. */
  const damage = (id: string, file: string): void =>
    flipStored(store.objects, new RegExp(`${id}.*${file.replaceAll('.', String.raw`\.`)}$`));

  return { clock, ask, query, damage, close: () => store.objects.clear() };
}

interface FileLine {
  readonly url: string;
  readonly id: string;
  readonly size: number;
  readonly stats: string;
  readonly version: number;
  readonly timestamp: number;
  readonly expirationTimestamp: number;
}

/** The lines of an answer; of a query, the third is the file. */
export async function linesOf(response: Response): Promise<{ readonly [line: string]: unknown }[]> {
  return (await response.text()).split('\n').map((line) => JSON.parse(line));
}

/** The file that a query answered. */
export async function fileOf(response: Response): Promise<FileLine> {
  const [, , line] = await linesOf(response);
  return (line as { readonly file: FileLine }).file; // an answer without a file fails where its fields are compared
}

/** The version that the answer names. */
export const versionIn = (response: Response): string | null => response.headers.get('delta-table-version');

/** The path of an address in an answer. */
export const pathOf = (url: string): string => new URL(url).pathname;

/** Status and body of a refusal, whose length must be that of the body. */
export async function refusalOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/json');
  const text = await response.text();
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  return [response.status, JSON.parse(text)];
}

/** A refusal of the request's parameters. */
export const badRequest = (message: string) => [400, { errorCode: 'INVALID_PARAMETER_VALUE', message }];
