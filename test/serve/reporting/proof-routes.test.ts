/** What proves a snapshot and carries it elsewhere, as it is served. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstSnapshot } from '../../fixtures/first-snapshot.ts';
import { bearer, bytesOf, EXPIRED, fakeApp, FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { refusal } from '../http/refusal.ts';

const BELOW = `/v1/reporting/snapshots/${LATEST}`;
const personal = bearer(TOKENS.personal);
const ask = (path: string, app = fakeApp().app) => app.request(path, personal);
const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a file beside the tables', () => {
  it('is answered with the digest of the manifest as its tag, and may be kept', async () => {
    const answer = await ask(`${BELOW}/files/audit.json`);
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({ snapshot_id: LATEST });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'private, max-age=1209600, immutable, no-transform',
      'content-type': 'application/json',
      etag: `"${sha256(text)}"`,
      vary: 'Authorization',
      'x-snapshot-id': LATEST,
    });
  });

  it('that the snapshot lacks has another message than a name that no snapshot has', async () => {
    const older = await refusal(`${BELOW}/files/control.json`, personal);
    expect(older).toMatchObject({ status: 404, message: 'This snapshot was built before it had this file.' });
    for (const name of ['costs.blocks', '..%2Fmanifest.json']) {
      expect(await refusal(`${BELOW}/files/${name}`, personal)).toMatchObject({
        status: 404,
        message: expect.stringContaining('There is no such file; a snapshot has audit.json,') as string,
      });
    }
  });

  it('of an expired snapshot, another account or an account without reporting is not there', async () => {
    const expired = await refusal(`/v1/reporting/snapshots/${EXPIRED}/files/audit.json`, personal);
    expect(expired).toMatchObject({ status: 404, message: expect.stringContaining('expired') as string });
    const off = await refusal(`${BELOW}/files/audit.json`, bearer(TOKENS.switchedOff));
    expect(off).toMatchObject({ status: 404, message: expect.stringContaining('switched off') as string });
  });
});

it('SHA256SUMS has a line for each file, two spaces before its name', async () => {
  const answer = await ask(`${BELOW}/SHA256SUMS`);
  expect(await answer.text()).toBe(
    `${sha256(bytesOf(7n, LATEST, 'snapshot'))}  snapshot.parquet\n` +
      `${sha256(bytesOf(7n, LATEST, 'costs'))}  costs.parquet\n` +
      `${sha256(`{"snapshot_id":"${LATEST}"}`)}  audit.json\n` +
      `${sha256(`{"snapshot_id":"${LATEST}","tables":[]}`)}  digests.json\n`,
  );
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

describe('the query that compares a warehouse', () => {
  it('names its snapshot and may improve, so it is revalidated each time', async () => {
    const answer = await ask(`${BELOW}/compare/postgres.sql`);
    expect(await answer.text()).toMatch(
      new RegExp(`^-- Whether the tables hold what snapshot ${LATEST} holds`),
    );
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.get('content-type')).toBe('application/sql');
  });

  it('of a snapshot that was built before digests were stored is not there', async () => {
    const older = new (class extends FakeSnapshots {
      override async pinned(account_id: bigint, snapshot_id: string) {
        const snapshot = await super.pinned(account_id, snapshot_id);
        return snapshot === null ? null : { ...snapshot, files: [] };
      }
    })();
    const { app } = fakeApp({ snapshots: older });
    const refused = await refusal(`${BELOW}/compare/duckdb.sql`, personal, app);
    expect(refused).toMatchObject({
      status: 404,
      message: 'This snapshot was built before it had this file.',
    });
  });

  it.each([`${BELOW}/compare/mysql.sql`, '/v1/reporting/load/mysql.sql'])(
    'names the dialects there are: %s',
    async (path) => {
      const message =
        'There is no such dialect; there are duckdb, postgres, snowflake, bigquery, redshift, clickhouse.';
      expect(await refusal(path, personal)).toMatchObject({ status: 404, message });
    },
  );
});

it.each([
  ['/v1/reporting/load/duckdb.sql', 'application/sql', '-- The reporting tables of v1'],
  ['/v1/reporting/dbt/sources.yml', 'application/yaml', '# Made from the declarations'],
])('%s needs no token and may be kept by anyone', async (path, type, start) => {
  const answer = await fakeApp().app.request(path);
  expect((await answer.text()).startsWith(start)).toBe(true);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
});

describe('the address of latest', () => {
  const NEWEST = '/v1/reporting/latest';

  it.each(['costs.csv', 'costs.csv?spreadsheet=true', 'SHA256SUMS'])(
    'answers %s of the newest snapshot, names its pinned address, and is revalidated each time',
    async (file) => {
      const [newest, pinned] = [await ask(`${NEWEST}/${file}`), await ask(`${BELOW}/${file}`)];
      expect(newest.status).toBe(200);
      expect(Object.fromEntries(newest.headers)).toMatchObject({
        'content-location': `${BELOW}/${file}`,
        'cache-control': 'private, no-cache, no-transform',
        etag: pinned.headers.get('etag'),
        'x-snapshot-id': LATEST,
      });
      expect(await newest.text()).toBe(await pinned.text());
      expect(pinned.headers.get('content-location')).toBeNull();
    },
  );

  it('has a pinned SHA256SUMS that is cached for as long as a snapshot is kept', async () => {
    const { headers } = await ask(`${BELOW}/SHA256SUMS`);
    expect(headers.get('cache-control')).toBe('private, max-age=1209600, immutable, no-transform');
  });

  it.each(['costs.csv', 'SHA256SUMS'])(
    'answers no %s before the first snapshot is complete',
    async (file) => {
      expect(await refusal(`${NEWEST}/${file}`, bearer(TOKENS.unbuilt))).toMatchObject({
        status: 404,
        message: 'The first snapshot of this account is not complete yet.',
      });
    },
  );

  it('has no CSV of an unknown table', async () => {
    const none = await refusal(`${NEWEST}/nothing.csv`, personal);
    expect(none).toMatchObject({ status: 404, message: 'There is no such reporting table.' });
  });
});

const tagOf = async (query: string) => (await ask(`${BELOW}/costs.csv${query}`)).headers.get('etag') ?? '';

/** The status for a client that holds the CSV with this tag. */
const statusFor = async (query: string, held: string) => {
  const headers = { ...personal.headers, 'if-none-match': held };
  const answer = await fakeApp().app.request(`${BELOW}/costs.csv${query}`, { headers });
  await answer.body?.cancel();
  return answer.status;
};

describe('a table as CSV', () => {
  it('is offered for download, under another tag when it is for spreadsheets', async () => {
    const plain = await ask(`${BELOW}/costs.csv`);
    expect(await plain.text()).toBe('a,b\r\n1,2\r\n');
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      'cache-control': 'private, no-cache, no-transform',
      'content-disposition': 'attachment; filename="costs.csv"',
      'content-type': 'text/csv; charset=utf-8; header=present',
      etag: `"${sha256(bytesOf(7n, LATEST, 'costs'))}-csv"`,
    });
    const sheet = await ask(`${BELOW}/costs.csv?spreadsheet=true`);
    expect(sheet.headers.get('etag')).toBe(`"${sha256(bytesOf(7n, LATEST, 'costs'))}-spreadsheet"`);
  });

  it('has one tag for each form, so that no form is taken for another', async () => {
    const [plain, sheet] = [await tagOf(''), await tagOf('?spreadsheet=true')];
    expect(await tagOf('?spreadsheet=false')).toBe(plain);
    expect([await statusFor('', plain), await statusFor('', sheet)]).toEqual([304, 200]);
    expect([
      await statusFor('?spreadsheet=true', sheet),
      await statusFor('?spreadsheet=true', plain),
    ]).toEqual([304, 200]);
  });

  it('that the client has already, or of which it asks the headers alone, is not made', async () => {
    const { app, snapshots } = fakeApp();
    const etag = (await app.request(`${BELOW}/costs.csv`, { method: 'HEAD', ...personal })).headers.get(
      'etag',
    );
    const headers = { ...personal.headers, 'if-none-match': etag ?? '' };
    expect((await app.request(`${BELOW}/costs.csv`, { headers })).status).toBe(304);
    expect(snapshots.opened).toBe(0);
  });

  it('of an unknown table, or of a table that the snapshot lacks, is 404', async () => {
    const none = await refusal(`${BELOW}/nothing.csv`, personal);
    expect(none).toMatchObject({ status: 404, message: 'There is no such reporting table.' });
    const older = await refusal(`${BELOW}/budgets.csv`, personal);
    expect(older).toMatchObject({ message: 'This snapshot was built before it had this table.' });
  });

  it('is made for an account twice at once and no more, until one of them ends', async () => {
    const { app } = fakeApp();
    const [first, second] = [await ask(`${BELOW}/costs.csv`, app), await ask(`${BELOW}/costs.csv`, app)];
    const third = await refusal(`${BELOW}/costs.csv`, personal, app);
    expect(third).toMatchObject({
      status: 429,
      message: 'Too many CSV files of this account are being made at the same time; the maximum is 2.',
    });
    await first.text();
    const fourth = await ask(`${BELOW}/costs.csv`, app);
    expect(fourth.status).toBe(200);
    await Promise.all([second.body?.cancel(), fourth.body?.cancel()]);
    expect((await ask(`${BELOW}/costs.csv`, app)).status).toBe(200);
  });
});

describe('of a built snapshot', () => {
  let app: ReturnType<typeof fakeApp>['app'];
  let below = '';
  const ours = bearer(TOKENS.personal);
  beforeAll(async () => {
    const { id, reader } = await firstSnapshot();
    below = `/v1/reporting/snapshots/${id}`;
    const holder = { token_id: 1n, account_id: 1n, user_id: 1n, kind: 'personal' as const };
    app = fakeApp({
      snapshots: reader,
      authenticate: async () => ({ ...holder, api_access: true, reporting_enabled: true }),
    }).app;
  });

  it('every file that SHA256SUMS names is served with the bytes of its digest', async () => {
    const sums = await (await app.request(`${below}/SHA256SUMS`, ours)).text();
    const lines = [...sums.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)];
    expect(lines).toHaveLength(20); // 14 tables and 6 files
    for (const [, digest, name = ''] of lines) {
      const path = name.endsWith('.parquet') ? name : `files/${name}`;
      const bytes = new Uint8Array(await (await app.request(`${below}/${path}`, ours)).arrayBuffer());
      expect([name, sha256(bytes)]).toEqual([name, digest]);
    }
  });

  it('CSV has as many lines as the manifest says rows, and its header', async () => {
    const { tables } = (await (await app.request(below, ours)).json()) as {
      tables: { name: string; row_count: number }[];
    };
    const periods = tables.find(({ name }) => name === 'accounting_periods');
    const csv = await (await app.request(`${below}/accounting_periods.csv?spreadsheet=true`, ours)).text();
    expect(csv.split('\r\n')).toHaveLength((periods?.row_count ?? 0) + 2);
  });
});
