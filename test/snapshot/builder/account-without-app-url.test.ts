/** An account that names no application of its own: its links lead to the application of the build's session. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClient } from '../../../src/ledger/connect.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { readChecks } from '../audit/audited-files.ts';
import { type Asked, AT, type BuildHarness, fileOf, openBuildHarness } from './real-build.ts';

const APP_URL = 'https://shared.example/app';
/** The tables whose every row has a link. */
const LINKED = ['initiatives', 'reported_value', 'value_supporting_documents', 'costs', 'budgets'];

let harness: BuildHarness;
let owner: Client;
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
  await owner.query('update ledger.accounts set app_url = null where id = 1');
});
afterAll(() => harness.close());

/** A build whose session has the application of the settings, as `buildAccount` opens it. */
function buildAt(at: bigint, asked: Asked = {}) {
  const connect = (): Promise<Client> =>
    openClient({
      url: harness.database.url('cf_reader'),
      role: 'cf_reader',
      appUrl: APP_URL,
      applicationName: 'crossfoot build',
      onError: () => undefined,
    });
  return harness.build({ at, connect, ...asked });
}

it('a build publishes an account whose app_url is empty, with links to the application of the settings', async () => {
  expect((await buildAt(AT)).outcome).toBe('published');
  const served = await harness.served();
  for (const table of LINKED) {
    const sql = `select bool_and(app_url like '${APP_URL}/initiatives/%') as linked from file`;
    const [found] = await askDuckDb(fileOf(served, table), sql);
    expect({ table, ...found }).toEqual({ table, linked: true });
  }
  const decisions = 'select app_url from file where initiative_id is not null order by all limit 1';
  const [decision] = await askDuckDb(fileOf(served, 'portfolio_decisions'), decisions);
  expect(decision?.['app_url']).toMatch(new RegExp(`^${APP_URL}/initiatives/\\d+/decisions/\\d+$`));
});

it('the audit refuses links to another application than the settings name', async () => {
  const { rows } = await owner.query<{ source: string }>(
    "select pg_get_functiondef('service.app_url(text)'::regprocedure) as source",
  );
  const source = rows[0]?.source ?? '';
  const wrong = source.replace('COALESCE(own,', "COALESCE('https://wrong.example', own,");
  expect(wrong).not.toBe(source);
  await owner.query(wrong);
  const refusal = await outcomeOf(buildAt(AT + 1_000_000n, { checks: await readChecks() }));
  await owner.query(source);
  expect(refusal).toMatchObject({
    code: 'audit_refused',
    exitCode: 3,
    data: { check: '28-check-links' },
  });
});
