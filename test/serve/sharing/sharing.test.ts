/** The sharing protocol, as its clients need it; `pitfalls` are the places where the clients fail on another answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLES } from '../../../src/tables/all.ts';
import { HOUR, MIDNIGHT, DAY } from '../../snapshot/builder/build-harness.ts';
import { TOKENS } from '../fake-parts.ts';
import {
  badRequest,
  fileOf,
  IDS,
  linesOf,
  pathOf,
  refusalOf,
  SECOND_AT,
  shareCompany,
  versionIn,
} from './shared-company.ts';

const REPORTING = '/shares/crossfoot/schemas/reporting';
const COSTS = `${REPORTING}/tables/costs`;
const READABLE = 'Versions that can be read: 2, 4.';

let company: Awaited<ReturnType<typeof shareCompany>>;
beforeAll(async () => {
  company = await shareCompany();
});
afterAll(() => company.close());

const ask: typeof company.ask = (...asked) => company.ask(...asked);
const query: typeof company.query = (...asked) => company.query(...asked);

describe('the share', () => {
  it('has one schema for every snapshot and one for each name of a pin, and each schema every table', async () => {
    const { items } = (await (await ask('/shares')).json()) as { items: { name: string; id: string }[] };
    expect(items).toEqual([{ name: 'crossfoot', id: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
    expect(await (await ask('/shares/Crossfoot')).json()).toEqual({ share: items[0] });
    expect(await (await ask('/shares/crossfoot/schemas')).json()).toMatchObject({
      items: [
        { name: 'reporting', share: 'crossfoot' },
        { name: 'close-2026-02', share: 'crossfoot' },
        { name: 'year-end', share: 'crossfoot' },
      ],
    });
    const names = [...TABLES.map(({ name }) => name), 'focus'];
    const tables = (await (await ask(`${REPORTING}/tables`)).json()) as { items: { name: string }[] };
    expect(tables.items.map(({ name }) => name)).toEqual(names);
    const all = (await (await ask('/shares/crossfoot/all-tables')).json()) as { items: { id: string }[] };
    expect(all.items).toHaveLength(3 * names.length);
    expect(new Set(all.items.map(({ id }) => id)).size).toBe(3 * names.length);
  });

  it('is listed in pages that neither repeat nor skip a table', async () => {
    const seen: string[] = [];
    let token = '';
    let pages = 0;
    do {
      const page = await ask(`/shares/crossfoot/all-tables?maxResults=5&pageToken=${token}`);
      const { items, nextPageToken = '' } = (await page.json()) as {
        items: { schema: string; name: string }[];
        nextPageToken?: string;
      };
      seen.push(...items.map(({ schema, name }) => `${schema}.${name}`));
      token = nextPageToken;
      pages += 1;
    } while (token !== '');
    expect(pages).toBe(9); // 45 tables by 5
    expect(new Set(seen).size).toBe(45);
    expect(await refusalOf(await ask('/shares?pageToken=x'))).toEqual(
      badRequest('The pageToken is not one of this list. List again from the first page.'),
    );
    expect((await ask('/shares?maxResults=some')).status).toBe(400);
    const none = (await (await ask('/shares?maxResults=0')).json()) as { items: [] };
    expect(none.items).toEqual([]);
  });

  it('finds names in upper and lower case, and names what there is in place of a missing one', async () => {
    expect((await ask('/shares/CROSSFOOT/schemas/Reporting/tables/COSTS/version')).status).toBe(200);
    for (const [path, message] of [
      ['/shares/x/schemas', 'There is no share "x". The account has one: crossfoot.'],
      [
        '/shares/crossfoot/schemas/x/tables',
        'There is no schema "x". The share has reporting, close-2026-02, year-end.',
      ],
    ] as const) {
      expect(await refusalOf(await ask(path))).toEqual([
        404,
        { errorCode: 'RESOURCE_DOES_NOT_EXIST', message },
      ]);
    }
    expect((await ask(`${REPORTING}/tables/x/version`)).status).toBe(404);
  });
});

describe('versions', () => {
  it('are numbered by the publish log, the same in every table, and the newest is the default', async () => {
    for (const table of ['costs', 'snapshot']) {
      expect(versionIn(await ask(`${REPORTING}/tables/${table}/version`))).toBe('4');
    }
    const file = await fileOf(await query({ version: 2 }));
    expect(file).toMatchObject({ version: 2, timestamp: Number(SECOND_AT / 1000n) });
    const body = await (await ask(pathOf(file.url))).text();
    expect(body).toBe(`costs of ${IDS[1]}`);
    expect(file.size).toBe(body.length);
  });

  it('of a timestamp are the newest built at or before it, to the microsecond', async () => {
    for (const [timestamp, version] of [
      ['2026-03-02T00:00:00.250000Z', '2'],
      ['2026-03-02T12:00:00+02:00', '2'],
      ['2030-01-01T00:00:00Z', '4'],
    ] as const) {
      expect(versionIn(await query({ timestamp }))).toBe(version);
    }
    // A microsecond earlier, version 1 was the newest, and it has expired.
    expect(await refusalOf(await query({ timestamp: '2026-03-02T00:00:00.249999Z' }))).toEqual(
      badRequest(`Version 1 of costs has expired. ${READABLE}`),
    );
    const since = '?startingTimestamp=2026-03-03T12:00:00Z';
    expect(versionIn(await ask(`${COSTS}/version${since}`))).toBe('4');
    expect((await ask(`${COSTS}/version?startingTimestamp=2026-04-01T00:00:00Z`)).status).toBe(400);
  });

  it('of a pin have a schema of their own, whose newest is the default', async () => {
    const yearEnd = '/shares/crossfoot/schemas/year-end/tables';
    expect(versionIn(await ask(`${yearEnd}/snapshot/version`))).toBe('3');
    expect(versionIn(await query({ version: 2 }, `${yearEnd}/snapshot`))).toBe('2');
    expect(await refusalOf(await query({ version: 4 }, `${yearEnd}/snapshot`))).toEqual(
      badRequest('year-end.snapshot has no version 4. Versions that can be read: 2 to 3.'),
    );
  });

  it.each([
    [{ version: 1 }, `Version 1 of costs has expired. ${READABLE}`],
    [{ version: 3 }, `Version 3 of costs is quarantined: a scrub found its file damaged. ${READABLE}`],
    [{ version: 9 }, `reporting.costs has no version 9. ${READABLE}`],
    [{ version: 0 }, `reporting.costs has no version 0. ${READABLE}`],
    [
      { timestamp: '2020-01-01T00:00:00Z' },
      `reporting.costs has no version from 2020-01-01T00:00:00Z or before. ${READABLE}`,
    ],
    [{ timestamp: 'May' }, 'A timestamp is written as 2026-11-20T02:00:00Z, found "May".'],
    [{ version: 2, timestamp: '2030-01-01T00:00:00Z' }, 'Name a version or a timestamp, not both.'],
    [
      { startingVersion: 2 },
      'A query answers one version. Read changes with GET …/changes?startingVersion=….',
    ],
    [{ refreshToken: 'x' }, 'The refreshToken is not one of this server. Ask again without it.'],
    ['x', 'The query must be a JSON object: body: Invalid input: expected object, received string.'],
  ])('refuse %j in words', async (body, message) => {
    expect(await refusalOf(await query(body))).toEqual(badRequest(message));
  });

  it('of another account are not found', async () => {
    const headers = { authorization: `Bearer ${TOKENS.other}` };
    expect(await refusalOf(await query({ version: 2 }, COSTS, headers))).toEqual([
      404,
      {
        errorCode: 'RESOURCE_DOES_NOT_EXIST',
        message: 'The first snapshot of this account is not complete yet.',
      },
    ]);
  });
});

const capable = (capabilities: string) => ({ 'delta-sharing-capabilities': capabilities });
const said = (answer: Response) => answer.headers.get('delta-sharing-capabilities');

describe('pitfalls of the clients', () => {
  it('1: every answer about a table has its version in a header', async () => {
    const answers = [
      await ask(`${COSTS}/version`),
      await ask(COSTS, { method: 'HEAD' }),
      await ask(`${COSTS}/metadata`),
      await query({}),
    ];
    expect(answers.map((each) => [each.status, versionIn(each)])).toEqual(answers.map(() => [200, '4']));
    expect(await answers[0]?.text()).toBe('');
    expect(versionIn(await ask(`${COSTS}/metadata?version=2`))).toBe('2');
  });

  it('2: the line about the end comes only to a client that asked for it, and is announced', async () => {
    const plain = await query({}, COSTS, capable('responseformat=delta,parquet'));
    expect(said(plain)).toBe('responseformat=parquet');
    const keys = (await linesOf(plain)).flatMap((line) => Object.keys(line));
    expect(keys).toEqual(['protocol', 'metaData', 'file']);
    const wanted = capable('includeEndStreamAction=true');
    const asked = await query({}, COSTS, wanted);
    expect(said(asked)).toBe('responseformat=parquet;includeendstreamaction=true');
    const end = (await linesOf(asked)).at(-1) as { endStreamAction: { refreshToken: string } };
    expect(versionIn(await query({ refreshToken: end.endStreamAction.refreshToken }))).toBe('4');
    // Spark asks in the body. An answer without files has no such line, so it may not announce one.
    expect((await linesOf(await query({ includeRefreshToken: true }))).at(-1)).toMatchObject(end);
    expect(said(await ask(`${COSTS}/metadata`, { headers: wanted }))).toBe('responseformat=parquet');
  });

  it('3: each line is one object, and none is empty', async () => {
    const answer = await query({});
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(await answer.text()).toMatch(/^\{[^\n]+\}\n\{[^\n]+\}\n\{[^\n]+\}$/);
  });

  it('4: a version that can never be read again is 400, which no client retries', async () => {
    expect((await query({ version: 1 })).status).toBe(400);
    expect((await ask(`${COSTS}/metadata?version=1`)).status).toBe(400);
    expect((await ask(`${COSTS}/metadata?version=-1`)).status).toBe(400);
  });

  it('5: a file is read by range and HEAD without a token, and never compressed again', async () => {
    const path = pathOf((await fileOf(await query({}))).url);
    const headers = { range: 'bytes=0-4', 'accept-encoding': 'gzip' };
    const part = await ask(path, { headers });
    expect([part.status, await part.text(), part.headers.get('content-encoding')]).toEqual([
      206,
      'costs',
      null,
    ]);
    expect((await ask(path, { method: 'HEAD' })).headers.get('content-length')).toBe('25');
  });

  it('6: a file can be read for an hour, and for longer the larger it is', async () => {
    const file = await fileOf(await query({}));
    // 25 bytes at 64,000 a second are 390 microseconds more.
    const began = MIDNIGHT + 20n * DAY + HOUR;
    expect(file.expirationTimestamp).toBe(Number((began + HOUR) / 1000n));
    company.clock.now = began + HOUR;
    expect((await ask(pathOf(file.url))).status).toBe(200);
    company.clock.now = began + HOUR + 390n;
    expect((await ask(pathOf(file.url))).status).toBe(410);
    company.clock.now = began;
  });

  it('7: addresses have the scheme and host of the server', async () => {
    const { url } = await fileOf(await query({}));
    expect(url).toMatch(/^https:\/\/api\.example\.com\/links\/[\w-]+\/costs\.parquet$/);
  });

  it('8: a table without rows is one file too', async () => {
    const { stats } = await fileOf(await query({ version: 4 }));
    expect(JSON.parse(stats)).toEqual({ numRecords: 0 });
  });

  it('9: a retracted version is served, also by default, and says so', async () => {
    const older = await query({ version: 2 });
    expect(older.status).toBe(200);
    expect(older.headers.get('x-snapshot-retracted')).toBe('2026-03-05T00:00:00.000000Z');
    expect(older.headers.get('link')).toContain(IDS[3]);
    const newest = await query({});
    expect([newest.status, newest.headers.get('x-snapshot-id')]).toEqual([200, IDS[3]]);
    expect(newest.headers.has('x-snapshot-retracted')).toBe(true);
  });

  it('10: a reporting token suffices, as Bearer or as Basic, and no token is 401', async () => {
    const basic = Buffer.from(`token:${TOKENS.reporting}`).toString('base64');
    const file = await fileOf(await query({}, COSTS, { authorization: `Basic ${basic}` }));
    expect((await ask(pathOf(file.url))).status).toBe(200);
    expect((await query({}, COSTS, { authorization: `Bearer ${TOKENS.personal}` })).status).toBe(200);
    expect(await refusalOf(await query({}, COSTS, { authorization: '' }))).toEqual([
      401,
      { errorCode: 'UNAUTHENTICATED', message: 'This route needs an access token.' },
    ]);
  });

  it('11: hints, unknown fields and empty bodies change nothing', async () => {
    const { id } = await fileOf(await query({}));
    const hints = {
      predicateHints: ['month = 1'],
      jsonPredicateHints: '{}',
      limitHint: 1,
      version: null,
      x: 1,
    };
    expect((await fileOf(await query(hints))).id).toBe(id);
    const empty = await ask(`${COSTS}/query`, { method: 'POST' });
    expect((await fileOf(empty)).id).toBe(id);
    expect((await ask(`${COSTS}/metadata?unknown=1`)).status).toBe(200);
  });
});

describe('refusals', () => {
  it('have the shape of the protocol, from any layer of the server', async () => {
    const large = 'x'.repeat(64 * 1024);
    expect(await refusalOf(await query({ predicateHints: [large] }))).toEqual([
      413,
      { errorCode: 'REQUEST_TOO_LARGE', message: 'A query may hold 65536 bytes.' },
    ]);
    expect(await refusalOf(await ask('/nothing'))).toEqual([
      404,
      { errorCode: 'RESOURCE_DOES_NOT_EXIST', message: 'There is no such route.' },
    ]);
    expect((await refusalOf(await ask('/shares', { method: 'POST' })))[0]).toBe(405);
    const switchedOff = { authorization: `Bearer ${TOKENS.switchedOff}` };
    expect((await refusalOf(await ask('/shares', { headers: switchedOff })))[0]).toBe(404);
  });

  it('name the schemes of file ids', async () => {
    expect((await query({}, COSTS, { fileidhash: 'Delta' })).headers.get('fileidhash')).toBe('delta');
    expect(await refusalOf(await query({}, COSTS, { fileidhash: 'md5' }))).toEqual(
      badRequest('fileidhash must be parquet or delta, found "md5".'),
    );
  });
});
