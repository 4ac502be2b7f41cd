/** A ledger has three amounts: a conversion helps one, an import another, nothing the third. Each surface says so. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBuildCommand } from '../../src/commands/build.ts';
import { addLoadCommand } from '../../src/commands/load.ts';
import { addStatusCommand } from '../../src/commands/status.ts';
import { addWhyCommand } from '../../src/commands/why.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { company, type Files } from '../ledger/load/folder.ts';
import { fakeApp, TOKENS } from '../serve/fake-parts.ts';
import { openBrowser } from '../serve/pages/browser.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { SEED } from '../support/signing.ts';
import { runCommand } from './in-process.ts';

/** They say why each amount is left out. */
const SURFACES = ['status --amounts', '/night'] as const;
/** They count the amounts in one line: what they are about is another thing. */
const COUNTING = ['load', 'build', 'status', 'why'] as const;
const PERIODS = { EUR: '2020-05-01', CHF: '2026-05-01', GBP: '2026-05-01' };
const REASONS = {
  convert:
    '1 cost in CHF (CHF 10.00): convert at the stored rates, because the stored rates cover the period.',
  import: '1 cost in GBP (GBP 10.00): import published rates, because no rate of the currency is stored.',
  never:
    "1 cost in EUR (EUR 10.00): never converted, because the period is before the currency's first rate.",
};
const IMPORT = 'npx --no crossfoot rates import';
const CONVERT = 'npx --no crossfoot rates convert';

let database: TestDatabase;
let root: string;
let owner: Client;
/** What each surface tells of the ledger with all three reasons. */
let told: Told;
beforeAll(async () => {
  database = await createDatabase();
  root = await mkdtemp(join(tmpdir(), 'crossfoot-left-out-'));
  owner = await database.client('cf_owner');
  await owner.query(`
    insert into ledger.euro_reference_rates (day, currency, units_per_euro)
    values ('2026-05-04', 'USD', 1.1), ('2026-05-04', 'CHF', 0.9), ('2026-05-29', 'USD', 1.1), ('2026-05-29', 'CHF', 0.9);
    -- As if another session held the rows all the time.
    create function ledger.hold() returns trigger language plpgsql as
      $$ begin raise exception 'held' using errcode = 'lock_not_available'; end $$;
    create trigger held before update on ledger.cost_entries for each row execute function ledger.hold();`);
  const accounts = `id,name,plan,plan_includes_api,reporting_enabled_at\n1,Own,team,true,2020-01-01T00:00:00Z\n`;
  told = await tellAll('insert', {
    ...company(1),
    'accounts.csv': accounts,
    'cost_entries.csv': costs(PERIODS),
  });
});
afterAll(async () => {
  await rm(root, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

type Told = Readonly<Record<(typeof COUNTING | typeof SURFACES)[number], string>>;

function costs(periods: Readonly<Record<string, string>>): string {
  const rows = Object.entries(periods).map(
    ([currency, day], at) => `1,${at + 1},1,1000,${currency},${day}\n`,
  );
  return `account_id,id,initiative_id,amount_cents,currency,period_start\n${rows.join('')}`;
}

/** Loads, builds, and asks each surface. */
async function tellAll(mode: 'insert' | 'upsert', files: Files): Promise<Told> {
  const env = {
    DATA_DIR: root,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    OWNER_URL: database.url('cf_owner'),
    SIGNING_KEYS: SEED,
    LOG_LEVEL: 'silent',
  };
  const folder = await mkdtemp(join(root, 'files-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const ask = async (add: Parameters<typeof runCommand>[0], ...args: string[]): Promise<string> => {
    const { printed, error } = await runCommand(add, env, ...args);
    expect(error).toBeUndefined();
    return printed.join('\n');
  };
  return {
    load: await ask(addLoadCommand, 'load', folder, '--mode', mode),
    build: await ask(addBuildCommand, 'build', '--account', '1'),
    status: await ask(addStatusCommand, 'status'),
    'status --amounts': await ask(addStatusCommand, 'status', '--amounts'),
    why: await ask(addWhyCommand, 'why'),
    '/night': await nightPage(),
  };
}

const now = (): bigint => BigInt(Date.now()) * 1_000n;

async function nightPage(): Promise<string> {
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  const snapshots = createReader({ store, now, onFault: () => undefined });
  const holder = {
    token_id: 1n,
    user_id: 11n,
    account_id: 1n,
    kind: 'personal',
    api_access: true,
    reporting_enabled: true,
  } as const;
  const { app } = fakeApp({ snapshots, findHolder: async () => holder, authenticate: async () => holder });
  const browser = openBrowser(app);
  await browser.signIn(TOKENS.personal);
  return (await browser.page('/night')).replaceAll('&#39;', "'");
}

const counted = (text: string, words: string): number => text.split(words).length - 1;

it.each(SURFACES)('%s says once of each amount which of three things helps, and why', (surface) => {
  const text = told[surface];
  expect(Object.values(REASONS).map((sentence) => counted(text, sentence))).toEqual([1, 1, 1]);
  // The command that converts stands beside the import, and on the page in the text to copy.
  expect(counted(text, IMPORT)).toBe(1);
  expect(counted(text, CONVERT)).toBeGreaterThan(0);
});

it.each(COUNTING)('%s counts the amounts in one line, and says where each is', (surface) => {
  expect(told[surface].match(/.*in no total.*/g)).toEqual([
    expect.stringMatching(
      /3 amounts in CHF, EUR and GBP are in no total, 1 of them until rates are imported, 1 of them until rates convert runs; (?:after the next build )?npx --no crossfoot status --amounts shows why$/,
    ),
  ]);
});

it('no surface names an import of rates where a conversion alone helps', async () => {
  await owner.query("delete from ledger.cost_entries where currency = 'GBP'");
  const { EUR, CHF } = PERIODS;
  const texts = await tellAll('upsert', { 'cost_entries.csv': costs({ EUR, CHF }) });
  for (const surface of COUNTING)
    expect(texts[surface]).toMatch(/in CHF and EUR are in no total, 1 of them until rates convert runs;/);
  for (const surface of SURFACES) {
    const counts = [REASONS.convert, REASONS.import, IMPORT].map((words) => counted(texts[surface], words));
    expect([surface, ...counts, texts[surface].includes(CONVERT)]).toEqual([surface, 1, 0, 0, true]);
  }
});

it('no surface names a command for an amount that is never converted', async () => {
  await owner.query("delete from ledger.cost_entries where currency <> 'EUR'");
  const { EUR } = PERIODS;
  const texts = await tellAll('upsert', { 'cost_entries.csv': costs({ EUR }) });
  for (const surface of COUNTING) expect(texts[surface]).toMatch(/1 amount in EUR is in no total;/);
  for (const surface of SURFACES) {
    const counts = [REASONS.never, IMPORT, CONVERT].map((words) => counted(texts[surface], words));
    expect([surface, ...counts]).toEqual([surface, 1, 0, 0]);
  }
});
