/** The format of an answer that a client of the sharing protocol allows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shareCompany } from './shared-company.ts';

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
