/** What was used of bills, as a table of the sharing protocol: a companion file, which not every snapshot has. */
import { afterEach, describe, expect, it } from 'vitest';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { COMPANION_SET, COMPANIONS } from '../../../src/tables/companions.ts';
import { SERVED_TABLES, SHARED_TABLES } from '../../../src/tables/file-sets.ts';
import { aBuild, ACCOUNT, DAY, HOUR, MIDNIGHT, publishNow } from '../../snapshot/builder/build-harness.ts';
import { flipStored, markTools, scrubNow } from '../../snapshot/keep/scrub-harness.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { fakeApp, linkTo, TOKENS } from '../fake-parts.ts';
import { badRequest, fileOf, linesOf, pathOf, refusalOf, versionIn } from './shared-company.ts';

const USAGE = 'api_ai_usage';
/** The account of `TOKENS.other`. */
const OTHER = 8n;
/** What a program before companion tables built, one before usage, and one of today. */
const WITHOUT = [] as const;
const BEFORE = ['api_metrics'] as const;
const WITH = ['api_metrics', USAGE] as const;
const SCHEMAS = '/shares/crossfoot/schemas';
const OF = `${SCHEMAS}/reporting/tables/ai_usage`;
const absent = (seq: number): string =>
  `Version ${seq} has no table ai_usage: it was built before there was one, or the account had switched companion tables off. Name another version.`;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const contentOf = (name: string, account_id: bigint, id: string): Buffer =>
  Buffer.from(`${name} of ${account_id}, ${id}`);

/** The versions of two accounts, a day apart, each with these companion tables; the clock stands an hour after the last. */
async function share(...versions: readonly (readonly string[])[]) {
  const clock = { now: MIDNIGHT + BigInt(versions.length - 1) * DAY + HOUR };
  const store = clockedStore(clock);
  const ids = versions.map((_, index) => `2026030${index + 1}T000000Z`);
  for (const account_id of [ACCOUNT, OTHER]) {
    for (const [index, companions] of versions.entries()) {
      const [id = '', at] = [ids[index], MIDNIGHT + BigInt(index) * DAY];
      const named = [...companions, 'report'].map((name) => [name, contentOf(name, account_id, id)] as const);
      const made = aBuild(id, at, new Map(named)).tables;
      const report = made.filter(({ name }) => name === 'report').map(({ content }) => content);
      const files = report.map((content) => ({ name: COMPANION_SET.report, content }));
      const tables = made.filter(({ name }) => name !== 'report');
      const beside = companions.length === 0 ? [] : [{ set: COMPANION_SET, tables, files }];
      await publishNow(store, { ...aBuild(id, at), account_id, beside });
    }
  }
  const snapshots = createReader({ store, now: () => clock.now, onFault: () => undefined });
  const { app } = fakeApp({ snapshots, now: () => clock.now });
  closing.push(() => store.objects.clear());
  const ask = async (path: string, token = TOKENS.reporting, init: RequestInit = {}): Promise<Response> =>
    await app.request(path, { ...init, headers: { authorization: `Bearer ${token}` } });
  const shared = (path: string, token?: string) => ask(`/delta-sharing${path}`, token);
  const query = (body: object, table = OF, token?: string) =>
    ask(`/delta-sharing${table}/query`, token, { method: 'POST', body: JSON.stringify(body) });
  /** The tables that a schema lists. */
  const listed = async (schema = 'reporting'): Promise<readonly string[]> => {
    const { items } = (await (await shared(`${SCHEMAS}/${schema}/tables`)).json()) as {
      items: { name: string }[];
    };
    return items.map(({ name }) => name);
  };
  const marks = {
    wanted: { account_id: ACCOUNT, by: 'test', now: clock.now, until: clock.now + 90n * DAY },
    tools: markTools(store, clock),
  };
  return { clock, store, app, ids, ask, shared, query, listed, marks };
}

describe('the shared table ai_usage', () => {
  it('is the companion file of the version that a client names, and each schema lists it where its newest has it', async () => {
    const { ids, query, shared, listed, ask, marks } = await share(WITHOUT, WITH, WITH);
    const [first = '', second = '', third = ''] = ids;
    await pin({ ...marks.wanted, snapshot_id: first, name: 'without' }, marks.tools);
    await pin({ ...marks.wanted, snapshot_id: second, name: 'with' }, marks.tools);
    const served = SERVED_TABLES.map(({ name }) => name);
    expect((await listed()).toSorted()).toEqual([...served, 'ai_usage'].toSorted());
    expect((await listed('with')).toSorted()).toEqual([...served, 'ai_usage'].toSorted());
    expect(await listed('without')).toEqual(served);
    const all = (await (await shared('/shares/crossfoot/all-tables')).json()) as { items: { id: string }[] };
    expect(new Set(all.items.map(({ id }) => id)).size).toBe(3 * served.length + 2);
    for (const [body, table, seq, of] of [
      [{}, OF, '3', third],
      [{ version: 2 }, OF, '2', second],
      [{ timestamp: '2026-03-02T12:00:00Z' }, OF, '2', second],
      [{}, `${SCHEMAS}/with/tables/AI_Usage`, '2', second],
    ] as const) {
      const answer = await query(body, table);
      expect([answer.status, versionIn(answer)]).toEqual([200, seq]);
      const file = await fileOf(answer);
      // The address has no token; a range of it works, too.
      const path = pathOf(file.url);
      const content = contentOf(USAGE, ACCOUNT, of);
      expect(await (await ask(path, '')).text()).toBe(content.toString());
      expect(file.size).toBe(content.length);
      // A companion has no counts that a reporting token may know, and the protocol lets a file have none.
      expect(file).not.toHaveProperty('stats');
    }
  });

  it('says its name and the columns of its file, and that it has no change feed', async () => {
    const { shared } = await share(WITH, WITH);
    const [, head] = await linesOf(await shared(`${OF}/metadata`));
    const { metaData } = head as { metaData: { name: string; schemaString: string; configuration: object } };
    expect(metaData).toMatchObject({ name: 'ai_usage', configuration: {}, numFiles: 1 });
    const { fields } = JSON.parse(metaData.schemaString) as { fields: { name: string; type: string }[] };
    expect(fields.map(({ name }) => name)).toEqual(COMPANIONS.ai_usage.columns.map(({ name }) => name));
    // Exact decimals are texts; cents are whole numbers.
    expect(fields).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ name: 'quantity', type: 'string', nullable: true }),
        expect.objectContaining({ name: 'cost_cents', type: 'long', nullable: false }),
      ]) as object,
    );
    expect(await refusalOf(await shared(`${OF}/changes?startingVersion=1`))).toEqual(
      badRequest('ai_usage has no change feed. Read the whole table, of each version that you compare.'),
    );
  });

  it.each([
    ['before companion tables', WITHOUT],
    ['before usage', BEFORE],
  ])('is refused in words for a version %s, and is not listed while that is the newest', async (_, old) => {
    const { query, shared, listed } = await share(WITH, old);
    expect(await listed()).toEqual(SERVED_TABLES.map(({ name }) => name));
    expect(await refusalOf(await query({}))).toEqual(badRequest(absent(2)));
    for (const path of [`${OF}/metadata`, `${OF}/version`, `${OF}/metadata?version=2`])
      expect(await refusalOf(await shared(path))).toEqual(badRequest(absent(2)));
    expect(versionIn(await query({ version: 1 }))).toBe('1');
  });

  it('is served of a retracted version with its header, and refused of an expired or damaged one', async () => {
    const { clock, store, ids, query, listed, marks } = await share(WITH, WITH, WITH);
    const [, second = '', third = ''] = ids;
    const reason = { reason: 'A bill twice.', replaced_by: null };
    await retract({ ...marks.wanted, ...reason, snapshot_id: third }, marks.tools);
    await pin({ ...marks.wanted, snapshot_id: second, name: 'close' }, marks.tools);
    flipStored(store.objects, new RegExp(`a/${ACCOUNT}/.*${second}.*${USAGE}\\.companion$`));
    clock.now += 12n * DAY; // a scrub reads what was not read for a week
    await scrubNow(store, clock);
    clock.now += 8n * DAY;
    const readable = 'Versions that can be read: 3.';
    const newest = await query({});
    expect([newest.status, newest.headers.has('x-snapshot-retracted')]).toEqual([200, true]);
    for (const [version, why] of [
      [1, 'has expired'],
      [2, 'is quarantined: a scrub found its file damaged'],
    ] as const)
      expect(await refusalOf(await query({ version }))).toEqual(
        badRequest(`Version ${version} of ai_usage ${why}. ${readable}`),
      );
    // Listed: the request says why it cannot be read. The other tables of the version are whole.
    expect(await listed('close')).toContain('ai_usage');
    expect((await query({ version: 2 }, `${SCHEMAS}/reporting/tables/costs`)).status).toBe(200);
  });

  it('is listed while the manifest of the newest version cannot be read: the request says why', async () => {
    const { store, ids, listed } = await share(WITH, WITH);
    const [, newest = ''] = ids;
    const manifests = store.keys().filter((key) => key.includes(newest) && key.endsWith('/manifest.json'));
    expect(manifests).toHaveLength(2);
    for (const key of manifests) store.objects.set(key, Buffer.from('{}'));
    expect(await listed()).toContain('ai_usage');
  });

  it('has the rows of the account of the token alone, of snapshots of the same second', async () => {
    const { app, ids, query } = await share(WITH);
    const [id = ''] = ids;
    const seen: string[] = [];
    for (const [token, account_id] of [
      [TOKENS.reporting, ACCOUNT],
      [TOKENS.other, OTHER],
    ] as const) {
      const { url, id: digest } = await fileOf(await query({}, OF, token));
      expect(await (await app.request(pathOf(url))).text()).toBe(contentOf(USAGE, account_id, id).toString());
      seen.push(digest);
      // The link is to this one file.
      expect((await app.request(pathOf(url).replace(USAGE, 'api_metrics'))).status).toBe(404);
    }
    expect(new Set(seen).size).toBe(2);
    expect((await query({}, OF, TOKENS.unknown)).status).toBe(401);
    expect((await query({}, OF, TOKENS.switchedOff)).status).toBe(404);
    expect(await refusalOf(await query({}, OF, TOKENS.unbuilt))).toEqual([
      404,
      {
        errorCode: 'RESOURCE_DOES_NOT_EXIST',
        message: 'The first snapshot of this account is not complete yet.',
      },
    ]);
  });

  it('is the only companion that is shared, and the reporting routes have none', async () => {
    const { app, ask, ids, shared } = await share(WITH);
    const beside = SHARED_TABLES.filter(({ lacking }) => lacking !== undefined).map(({ name }) => name);
    expect(beside).toEqual(['ai_usage']);
    for (const { name } of Object.values(COMPANIONS)) {
      for (const snapshot of ['latest', `snapshots/${ids[0]}`])
        for (const form of ['parquet', 'csv'])
          expect((await ask(`/v1/reporting/${snapshot}/${name}.${form}`)).status).toBe(404);
      expect((await shared(`${SCHEMAS}/reporting/tables/${name}/metadata`)).status).toBe(404);
      // Also a link that this server sealed opens no other companion.
      const [snapshot_id = ''] = ids;
      const link = linkTo(name, { snapshot_id, expires_at: MIDNIGHT + 90n * DAY });
      expect([name, (await app.request(link)).status]).toEqual([name, name === USAGE ? 200 : 404]);
    }
  });

  it('stands in the words for a table that there is not', async () => {
    const { shared } = await share(WITH);
    const [status, { message }] = await refusalOf(
      await shared(`${SCHEMAS}/reporting/tables/constructor/version`),
    );
    expect(status).toBe(404);
    expect(message).toContain('There is no table "constructor". Every schema has snapshot, ');
    expect(message).toMatch(/, focus; some also have ai_usage\.$/);
  });
});
