/** The format of an answer that a client of the sharing protocol allows, and the names and times in it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';
import { badRequest, linesOf, refusalOf, shareCompany } from './shared-company.ts';

const COSTS = '/shares/crossfoot/schemas/reporting/tables/costs';

let company: Awaited<ReturnType<typeof shareCompany>>;
beforeAll(async () => {
  company = await shareCompany();
});
afterAll(() => company.close());

const ask: typeof company.ask = (...asked) => company.ask(...asked);
const query: typeof company.query = (...asked) => company.query(...asked);

it.each([
  'responseformat=delta',
  'responseFormat=Delta;readerfeatures=deletionvectors,columnmapping',
  ' responseformat = delta , ; includeEndStreamAction=true',
  'responseformat=delta,iceberg',
  'responseformat=iceberg',
])('a client that cannot read the format parquet gets an error that says so: %s', async (capabilities) => {
  const headers = { 'delta-sharing-capabilities': capabilities };
  for (const answer of [
    await query({}, COSTS, headers),
    await ask(`${COSTS}/metadata`, { headers }),
    await ask(`${COSTS}/changes?startingVersion=2`, { headers }),
  ]) {
    expect(answer.status).toBe(400);
    const { message } = (await answer.json()) as { message: string };
    expect(message).toMatch(/^This server answers in the format parquet, and the request allows /);
    expect(message).toContain('Set responseformat=parquet or responseformat=delta,parquet');
  }
});

it.each([
  'responseformat=parquet',
  'responseformat=parquet,delta',
  'responseformat=DELTA, Parquet;readerfeatures=deletionvectors',
  'responseformat=delta;responseformat=parquet',
  'responseformat=',
  'readerfeatures=deletionvectors',
  '',
])('a client that can read the format parquet gets it: %j', async (capabilities) => {
  const answer = await query({}, COSTS, { 'delta-sharing-capabilities': capabilities });
  expect([answer.status, answer.headers.get('delta-sharing-capabilities')]).toEqual([
    200,
    'responseformat=parquet',
  ]);
});

it.each(['includeendstreamaction=false', 'includeendstreamaction', 'includeendstreamaction='])(
  'a client that says %s gets no last line about the whole answer',
  async (capabilities) => {
    const answer = await query({}, COSTS, { 'delta-sharing-capabilities': capabilities });
    expect(answer.headers.get('delta-sharing-capabilities')).toBe('responseformat=parquet');
    expect((await linesOf(answer)).map((line) => Object.keys(line))).toEqual([
      ['protocol'],
      ['metaData'],
      ['file'],
    ]);
  },
);

it('a time within the second of an expired version names that version, and says that it has expired', async () => {
  for (const timestamp of ['2026-03-01T00:00:00.500000Z', '2026-03-01T12:00:00Z'])
    expect(await refusalOf(await query({ timestamp }))).toEqual(
      badRequest('Version 1 of costs has expired. Versions that can be read: 2, 4.'),
    );
});

it('the shares, schemas and tables of two accounts have ids of their own, each the same at every request', async () => {
  const { app } = fakeApp();
  const idsOf = async (token: string) => {
    const lists = ['', '/crossfoot/schemas', '/crossfoot/all-tables'].map(async (list) => {
      const answer = await app.request(`/delta-sharing/shares${list}`, bearer(token));
      const { items } = (await answer.json()) as { readonly items: readonly { readonly id: string }[] };
      return items.map(({ id }) => id);
    });
    return (await Promise.all(lists)).flat();
  };
  const [ours, again, theirs] = await Promise.all(
    [TOKENS.reporting, TOKENS.personal, TOKENS.other].map(idsOf),
  );
  expect(ours?.length).toBeGreaterThan(10);
  expect(again).toEqual(ours);
  expect(theirs).toHaveLength(ours?.length ?? 0);
  expect(theirs?.filter((id) => ours?.includes(id))).toEqual([]);
});
