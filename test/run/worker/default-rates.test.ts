/** The source of rates that no setting names: when it is asked, and what its failures are. From a real server over https. */
import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import { DEMO_ACCOUNTS, readSampleRates } from '../../../src/run/demo/demo-facts.ts';
import { afterFirst } from '../../../src/run/worker/night-steps.ts';
import { ratesPlan } from '../../../src/run/worker/rates-plan.ts';
import { refreshByLog, refreshRatesBefore } from '../../../src/run/worker/refresh-rates.ts';
import { certifyLoopback } from '../../rates/certificate.ts';
import { type HttpsServer, serveHttps } from '../../rates/https-server.ts';
import { zipOf } from '../../rates/zipped.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { foundAccount } from '../../support/ledger-rows.ts';

const HISTORY = 'Date,USD,GBP,\n2026-06-30,1.3,0.9,\n2024-04-02,1.2,0.8,\n';
const ZIP = zipOf({ 'eurofxref-hist.csv': Buffer.from(HISTORY) });
const UNSET = readSettings({});

let database: TestDatabase;
let owner: Client;
let server: HttpsServer;
let closed: string;
let trusted: string[];
beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
  const certified = certifyLoopback();
  trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, certified.cert]);
  const gone = await serveHttps(certified, {});
  closed = gone.address('/history.zip');
  await gone.close();
  server = await serveHttps(certified, {
    '/history.zip': (response) => response.end(ZIP),
    '/truncated': (response) => response.end(ZIP.subarray(0, ZIP.length - 30)),
    '/page': (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Log in to the network'),
    '/busy': (response) => response.writeHead(503).end(),
    '/silent': () => undefined,
    '/half': (response) => response.writeHead(200).write('Date,USD'),
    '/changed': (response) => response.end(HISTORY.replace('0.9', '0.91')),
  });
});
afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  await server.close();
  await database.drop();
});

const databases = (embedded: boolean) => ({ ownerUrl: database.url('cf_owner'), embedded });
const published = (path: string) => ({ url: path.startsWith('/') ? server.address(path) : path, ms: 300 });

/** What a command tells, and whether it fails. */
async function refresh(path: string, settings: Pick<typeof UNSET, 'ratesUrl'> = UNSET, embedded = true) {
  const said: string[] = [];
  const context = { say: (line: string) => void said.push(line), signal: new AbortController().signal };
  const failure = await refreshRatesBefore(settings, databases(embedded), context, published(path));
  return { said, failure };
}

async function storedRates(): Promise<readonly unknown[]> {
  const { rows } = await owner.query<{ rate: string }>(
    "select day || ' ' || currency || ' ' || units_per_euro::float as rate from ledger.euro_reference_rates where currency in ('USD', 'GBP') order by 1",
  );
  return rows.map(({ rate }) => rate);
}

it('the accounts of the demo are those of the fixtures', async () => {
  const found = await Promise.all(
    ['company', 'second', 'no-api'].map(async (folder) => {
      const path = new URL(`../../../fixtures/${folder}/accounts.csv`, import.meta.url);
      const [header = '', row = ''] = (await readFile(path, 'utf8')).split('\n');
      return {
        id: BigInt(row.split(',')[0] ?? ''),
        created_at: row.split(',')[header.split(',').indexOf('created_at')],
      };
    }),
  );
  expect(DEMO_ACCOUNTS).toEqual(found);
});

it('no address is asked with the demo alone', async () => {
  expect(await refresh('/history.zip')).toEqual({ said: [], failure: null });
  expect(server.asked).toEqual([]);
});

it('no address is asked with RATES_URL=off, nor with a PostgreSQL of its own', async () => {
  await foundAccount(owner);
  expect(await refresh('/history.zip', readSettings({ RATES_URL: 'off' }))).toEqual({
    said: [],
    failure: null,
  });
  expect(await refresh('/history.zip', UNSET, false)).toEqual({ said: [], failure: null });
  expect(await ratesPlan(readSettings({ RATES_URL: 'off' }), databases(false))).toBeNull();
  expect(server.asked).toEqual([]);
});

it("the bank's own file is the source once another account exists", async () => {
  expect(await ratesPlan(UNSET, databases(true))).toMatchObject({
    url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
    byDefault: true,
    limits: { ms: 10_000 },
  });
});

it.each([
  ['hangs', '/silent', /could not be read: it took longer than 0.3 s\./],
  ['stops in the middle', '/half', /could not be read: it took longer than 0.3 s\./],
  ['refuses the connection', 'closed', /could not be read: .*ECONNREFUSED/],
  ['is not found', 'https://rates.invalid/history.zip', /could not be read: /],
  ['answers 503', '/busy', /could not be read: it answered 503\./],
  ['answers with half a zip', '/truncated', /The zip of rates is refused: it has no end/],
  ['answers with the page of a network', '/page', /The file of rates has \d+ faults?, the first at line 1/],
])('a source that %s is one line of information, and no failure', async (_, path, reason) => {
  const url = path === 'closed' ? closed : path;
  const before = await storedRates();
  const { said, failure } = await refresh(url);
  expect(failure).toBeNull();
  expect(said).toEqual([expect.stringMatching(reason)]);
  expect(said[0]).toMatch(/^rates: the stored rates stay: .*\. RATES_URL=off reads none\.$/);
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const plan = await ratesPlan(UNSET, databases(true), published(url));
  if (plan === null) throw new Error('no plan');
  await refreshByLog(plan, databases(true), { logger, signal: new AbortController().signal });
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 'info', event: 'rates.unread' }),
  ]);
  expect(lines[0]).not.toContain('stack');
  expect(await storedRates()).toEqual(before);
});

it('a source that a setting names fails as ever', async () => {
  const { failure } = await refresh('/busy', { ratesUrl: server.address('/busy') });
  expect(failure).toMatchObject({ code: 'rates_not_read' });
});

it("published rates replace the demo's sample, and a published rate that changes is refused", async () => {
  const sample = (await readSampleRates()).filter(({ currency }) => ['USD', 'GBP'].includes(currency));
  expect((await storedRates()).length).toBe(sample.length);
  const { said, failure } = await refresh('/history.zip');
  expect(failure).toBeNull();
  expect(said[0]).toMatch(/^rates: \d rates added, \d unchanged; entries converted: \d+$/);
  const stored = ['2024-04-02 GBP 0.8', '2024-04-02 USD 1.2', '2026-06-30 GBP 0.9', '2026-06-30 USD 1.3'];
  expect(await storedRates()).toEqual(stored);
  expect((await refresh('/history.zip')).said).toEqual([
    'rates: 0 rates added, 4 unchanged; entries converted: 0',
  ]);
  expect((await refresh('/changed')).failure).toMatchObject({ code: 'rates_changed' });
  expect(await storedRates()).toEqual(stored);
});

it('steps that the program has just done are not done again for the first night, but for each later one', async () => {
  const nights: string[] = [];
  const [step] = afterFirst([{ name: 'rates', run: async () => void nights.push('read') }]);
  const context = {} as Parameters<NonNullable<typeof step>['run']>[0]; // The step reads none of it.
  for (const expected of [0, 1, 2]) {
    await step?.run(context);
    expect(nights).toHaveLength(expected);
  }
});
