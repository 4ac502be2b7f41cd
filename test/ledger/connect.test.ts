import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as fc from 'fast-check';
import type { CrossfootError } from '../../src/errors.ts';
import { openClient, openPool } from '../../src/ledger/connect.ts';
import { parseInstant } from '../../src/ledger/type-parsers.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const ignore = (): void => undefined;

/** The code and the hint with which a connection is refused. */
const refusal = async (to: string, role: string): Promise<unknown> =>
  await openClient({ url: to, role, applicationName: 'builder' }).then(
    (client) => client.end(),
    ({ code, hint }: CrossfootError) => [code, hint],
  );

describe('openPool', () => {
  it('works as the role that the login is', async () => {
    const { rows } = await database
      .pool('cf_reader')
      .query('select session_user::text as login, current_user::text as role');
    expect(rows).toEqual([{ login: 'cf_reader', role: 'cf_reader' }]);
  });

  it('switches to a role that the login is only a member of', async () => {
    const options = { url: database.adminUrl, role: 'cf_reader', applicationName: 'switch', onError: ignore };
    const pool = openPool({ ...options, max: 1 });
    const { rows } = await pool.query('select current_user::text as role');
    await pool.end();
    expect(rows).toEqual([{ role: 'cf_reader' }]);
  });

  it('names the application for addresses without a name, with any other parameters', async () => {
    const appUrl = String.raw`https://app.example/a b\c`;
    const url = database.url('cf_reader');
    const client = await openClient({
      url,
      role: 'cf_reader',
      appUrl,
      applicationName: 'app',
      onError: ignore,
    });
    const { rows } = await client.query(
      "select service.app_url(null) as missing, service.app_url('https://own.example') as own, current_user as role",
    );
    await client.end();
    expect(rows).toEqual([{ missing: appUrl, own: 'https://own.example', role: 'cf_reader' }]);
  });

  it('keeps its role when the URL has options', async () => {
    const url = new URL(database.adminUrl);
    url.searchParams.set('options', '-c role=postgres -c work_mem=5MB');
    const client = await openClient({
      url: url.href,
      role: 'cf_reader',
      applicationName: 'options',
      onError: ignore,
    });
    const { rows } = await client.query(
      `select current_user::text as role, current_setting('work_mem') as mem`,
    );
    await client.end();
    expect(rows).toEqual([{ role: 'cf_reader', mem: '5MB' }]);
  });

  it('reads 64-bit integers, days, decimals and instants without losing a digit', async () => {
    const { rows } = await database.pool('cf_reader').query(
      `select 9007199254740993::int8 as big, 12.50::numeric as amount, date '2024-02-29' as day,
              timestamptz '2024-02-29 17:30:00.000001+05:30' as instant,
              array[1, 9007199254740993]::int8[] as bigs, array[date '2024-02-29', null] as days,
              array[timestamptz '1970-01-01 00:00:01Z'] as instants, array['a', 'b,"c"'] as texts,
              timestamp '2024-02-29 00:00' as local`,
    );
    expect(rows).toEqual([
      {
        big: 9007199254740993n,
        amount: '12.50',
        day: '2024-02-29',
        // 19,782 days to 2024-02-29 and 12 hours: 19782 × 86400 + 43200 = 1709208000 s.
        instant: 1709208000000001n,
        bigs: [1n, 9007199254740993n],
        days: ['2024-02-29', null],
        instants: [1000000n],
        texts: ['a', 'b,"c"'],
        local: '2024-02-29 00:00:00',
      },
    ]);
  });

  it('reports an idle session that died to its listener, and continues', async () => {
    const heard = Promise.withResolvers<Error>();
    const options = { url: database.url('cf_reader'), role: 'cf_reader', applicationName: 'idle' };
    const pool = openPool({ ...options, max: 1, onError: heard.resolve });
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    await (await database.admin()).query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    expect((await heard.promise).message).toContain('terminating connection');
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('openClient', () => {
  it('says who could not connect and why, without the password (F-9)', async () => {
    const url = database.url('cf_reader').replace(/:[^:@/]+@/, ':wrong-password@');
    const opened = openClient({ url, role: 'cf_reader', applicationName: 'builder', onError: ignore });
    await expect(opened).rejects.toMatchObject({
      code: 'database_unreachable',
      message: expect.stringMatching(
        /^builder could not connect as cf_reader: password authentication failed/,
      ),
    });
    await expect(opened).rejects.not.toThrow('wrong-password');
  });

  it('closes a connection that receives nothing for too long, so that no query waits forever (F-7)', async () => {
    const { port } = new URL(database.url('cf_reader'));
    // What a connection begins with passes, and a first answer; nothing after that.
    let passed = 0;
    let allowance = Infinity;
    const proxy = await startCuttingProxy(Number(port), {
      allowance: () => allowance,
      ending: () => 'silence',
      onPassed: (bytes) => (passed = bytes),
    });
    const url = new URL(database.url('cf_reader'));
    url.port = String(proxy.port);
    const options = { url: url.href, role: 'cf_reader', applicationName: 'test', onError: () => undefined };
    const usual = await openClient(options);
    allowance = passed + 20;
    await usual.end();
    const client = await openClient({ ...options, silenceMs: 100 });
    await expect(client.query(`select repeat('x', 1000)`)).rejects.toMatchObject({
      code: 'database_unreachable',
      message: 'The database sent nothing for 0.1 s.',
    });
    await proxy.close();
  });

  it('names the statement or the setting that a refused session lacks', async () => {
    const login = `Outsider of ${database.name}`;
    const admin = await database.admin();
    await admin.query(
      `create role "${login}" login password 'x'; revoke connect on database ${database.name} from public; grant connect on database ${database.name} to cf_reader`,
    );
    const url = new URL(database.url('cf_reader'));
    const plain = url.href;
    url.search = '?sslmode=require';
    const encrypted = url.href;
    Object.assign(url, { username: encodeURIComponent(login), password: 'x', search: '' });
    const reader = 'LEDGER_URL (or DATABASE_URL, when that is not set)';
    expect([
      await refusal(plain, 'cf_service'),
      await refusal(plain, 'cf_nobody'),
      await refusal(encrypted, 'cf_reader'),
      await refusal(url.href, 'cf_owner'),
      await refusal(plain.replace(/:[^:@/]+@/, '@'), 'cf_reader'),
    ]).toEqual([
      [
        'role_refused',
        'Set DATABASE_URL to a login that is cf_service or a member of it, or have an administrator run: grant cf_service to cf_reader;',
      ],
      [
        'database_unreachable',
        'Run npx --no crossfoot migrate with OWNER_URL: the server of its URL has no role cf_nobody.',
      ],
      ['database_unreachable', `Remove sslmode from ${reader}, or switch TLS on at the server.`],
      [
        'database_unreachable',
        `Have the owner of the database of OWNER_URL run: grant connect on database ${database.name} to "${login}";`,
      ],
      ['database_unreachable', `Put the password into ${reader}: the server asks for one.`],
    ]);
    await admin.query(`grant connect on database ${database.name} to public; drop role "${login}"`);
  });

  it('refuses a server that is not there', async () => {
    // Port 1 of loopback is privileged and unused.
    const url = 'postgres://cf_reader:x@127.0.0.1:1/none';
    const opened = openClient({ url, role: 'cf_reader', applicationName: 'builder', onError: ignore });
    await expect(opened).rejects.toMatchObject({ code: 'database_unreachable' });
  });
});

describe('parseInstant', () => {
  it('agrees with PostgreSQL on every microsecond of the years 1 to 9999', async () => {
    // −62135596800 s is 0001-01-01, 253402300799 s the last second of 9999.
    const micros = fc.bigInt({ min: -62135596800_000000n, max: 253402300799_999999n });
    const samples = fc.sample(micros, { numRuns: 2_000, seed: 7 });
    const { rows } = await database.pool('cf_reader').query<{ instant: bigint }>(
      `select timestamptz 'epoch' + make_interval(secs => (m / 1000000)::float8) + (m % 1000000) * interval '1 microsecond'
         as instant from unnest($1::int8[]) with ordinality as u (m, place) order by place`,
      [samples.map(String)],
    );
    expect(rows.map((row) => row.instant)).toEqual(samples);
  });

  it.each([
    ['1970-01-01 00:00:00-05:30', 19_800_000_000n], // five and a half hours later in UTC
    ['1970-01-02 00:00:00+01', 82_800_000_000n], // a day less an hour
    ['1970-01-01 02:00:30.5+01:59:30', 60_500_000n], // 7,230.5 seconds less 7,170
    ['1969-12-31 23:59:59.999999+00', -1n],
  ])('reads %s, written in any time zone, in UTC', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it('refuses what is no instant of our calendar', () => {
    for (const text of ['infinity', '-infinity', '0044-03-15 00:00:00+00 BC', '2024-02-29']) {
      expect(() => parseInstant(text)).toThrow(expect.objectContaining({ code: 'instant_out_of_range' }));
    }
  });
});

it('every test file has a database on the run’s own server', () => {
  expect(new URL(database.adminUrl).host).toBe(new URL(inject('cluster').adminUrl).host);
});
