/** The change feed of the sharing protocol: pitfall 12 of its clients. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, MIDNIGHT } from '../../snapshot/builder/build-harness.ts';
import { TOKENS } from '../fake-parts.ts';
import { badRequest, IDS, linesOf, pathOf, refusalOf, shareCompany, versionIn } from './shared-company.ts';

const REPORTING = '/shares/crossfoot/schemas/reporting';
const COSTS = `${REPORTING}/tables/costs`;

let company: Awaited<ReturnType<typeof shareCompany>>;
beforeAll(async () => {
  company = await shareCompany();
});
afterAll(() => company.close());

const ask: typeof company.ask = (...asked) => company.ask(...asked);

describe('changes', () => {
  const SNAPSHOTS = `${REPORTING}/tables/snapshot`;
  const changes = (parameters: string, path = SNAPSHOTS) => ask(`${path}/changes?${parameters}`);

  it('are one file for each version, from the version before', async () => {
    const answer = await changes('startingVersion=3');
    expect([answer.status, versionIn(answer)]).toEqual([200, '3']);
    const [protocol, head, ...lines] = await linesOf(answer);
    expect(protocol).toHaveProperty('protocol');
    expect(head).toMatchObject({ metaData: { configuration: { enableChangeDataFeed: 'true' } } });
    const files = lines.map((line) => line['cdf'] as { version: number; url: string; size: number });
    expect(files.map(({ version }) => version)).toEqual([3, 4]);
    const path = pathOf(files[0]?.url ?? '');
    const content = `PAR1 snapshot ${IDS[1]} ${IDS[2]} PAR1`;
    expect(await (await ask(path)).text()).toBe(content);
    expect(files[0]?.size).toBe(content.length);
    const part = await ask(path, { headers: { range: 'bytes=-4' } });
    expect([part.status, await part.text()]).toEqual([206, 'PAR1']);
    expect((await ask(path.replace('/changes/', '/'))).status).toBe(404);
  });

  it('end with the earliest expiry for a client that asks for a last line', async () => {
    const headers = { 'delta-sharing-capabilities': 'includeendstreamaction=true' };
    const answer = await ask(`${SNAPSHOTS}/changes?startingVersion=3`, { headers });
    expect(answer.headers.get('delta-sharing-capabilities')).toContain('includeendstreamaction=true');
    const lines = await linesOf(answer);
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toEqual({
      endStreamAction: { minUrlExpirationTimestamp: Number((MIDNIGHT + 20n * DAY + 2n * HOUR) / 1000n) },
    });
  });

  it('of an account without a snapshot are not found', async () => {
    const headers = { authorization: `Bearer ${TOKENS.other}` };
    for (const parameters of ['startingVersion=1', 'startingTimestamp=2026-03-01T12:00:00Z']) {
      const answer = await ask(`${SNAPSHOTS}/changes?${parameters}`, { headers });
      const [status, { message }] = await refusalOf(answer);
      expect([status, message]).toEqual([404, 'The first snapshot of this account is not complete yet.']);
    }
  });

  it('of the first version are all of its rows', async () => {
    const { now } = company.clock;
    company.clock.now = MIDNIGHT + 5n * DAY;
    const lines = await linesOf(await changes('startingVersion=1&endingTimestamp=2026-03-01T12:00:00Z'));
    company.clock.now = now;
    expect(lines.at(2)).toMatchObject({ add: { version: 1, size: `snapshot of ${IDS[0]}`.length } });
    expect(lines).toHaveLength(3);
  });

  const both = 'each version is compared with the version before it, and both must be kept.';
  it.each([
    ['startingVersion=2', `The changes of snapshot can be read from version 3: ${both}`],
    ['startingTimestamp=2026-03-01T12:00:00Z', `The changes of snapshot can be read from version 3: ${both}`],
    ['startingVersion=9', 'startingVersion must be a version, from 1 to 4, found "9".'],
    ['startingVersion=4&endingVersion=3', 'No version lies between the start and the end. The newest is 4.'],
    ['startingVersion=1&startingTimestamp=x', 'Name startingVersion or startingTimestamp, and not both.'],
    ['', 'Name startingVersion or startingTimestamp, and not both.'],
    [
      'startingVersion=3&endingVersion=4&endingTimestamp=x',
      'Name endingVersion or endingTimestamp, not both.',
    ],
  ])('from %s are refused in words', async (parameters, message) => {
    expect(await refusalOf(await changes(parameters))).toEqual(badRequest(message));
  });

  it('are refused across a quarantined version, and in the schema of a pin', async () => {
    expect(await refusalOf(await changes('startingVersion=4', COSTS))).toEqual(
      badRequest(`The changes up to version 4 of costs cannot be read: ${both}`),
    );
    const pin = '/shares/crossfoot/schemas/year-end/tables/snapshot';
    expect((await changes('startingVersion=3', pin)).status).toBe(400);
  });
});
