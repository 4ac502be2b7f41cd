/** A damaged file is told by every surface: by a server that met it at once, and by all others as soon as a mark says so. */
import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addDoctorCommand } from '../../src/commands/doctor/doctor.ts';
import { judgeDamage } from '../../src/commands/doctor/findings.ts';
import { addScrubCommand } from '../../src/commands/scrub.ts';
import { addSnapshotsCommand } from '../../src/commands/snapshots.ts';
import { addStatusCommand } from '../../src/commands/status.ts';
import { addWhyCommand } from '../../src/commands/why.ts';
import { readSettings } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { writeAttempt } from '../../src/run/builders/attempts.ts';
import { watchDamage } from '../../src/run/server/damage.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { readMarks } from '../../src/snapshot/read/read-marks.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { addWebhook } from '../../src/webhooks/endpoints.ts';
import { makeSecret } from '../../src/webhooks/signature.ts';
import type { WebhookEvent } from '../../src/webhooks/event.ts';
import { enqueueMissedEvents } from '../../src/webhooks/missed-events.ts';
import { runCommand } from '../commands/in-process.ts';
import { flipBit, openPublishedFolder, type PublishedFolder } from '../commands/published-folder.ts';
import { fakeApp, TOKENS } from '../serve/fake-parts.ts';
import { openBrowser } from '../serve/pages/browser.ts';
import { anAttempt } from './builders/attempt.ts';
import { itInSweeps } from '../support/sweeps.ts';

const FILE = 'costs.parquet';
const SIX_SECONDS = 6_000_000n;
/** A server reads the marks of an account again after a minute. */
const MINUTE = 60_000_000n;
const OF_ACCOUNT = {
  token_id: 1n,
  user_id: 3n,
  account_id: 1n,
  kind: 'personal',
  api_access: true,
  reporting_enabled: true,
} as const;
const findHolder = async () => OF_ACCOUNT;

let published: PublishedFolder;
let store: Store;
let env: Readonly<Record<string, string>>;
let id: string;
let costs: string;
/** How far the clock of the servers is ahead. */
let ahead = 0n;
const now = (): bigint => BigInt(Date.now()) * 1_000n + ahead;

beforeAll(async () => {
  published = await openPublishedFolder();
  const built = await published.build();
  id = built.id;
  costs = join(built.folder, FILE);
  store = await openFolderStore({ fs, root: published.objects, randomUuid: randomUUID });
  const { database } = published;
  env = {
    ...published.env,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
  };
  const owner = await database.client('cf_owner');
  await addWebhook(owner, 1n, { url: 'https://hooks.example', secret: makeSecret(randomBytes(32)) });
  await writeAttempt(published.env['DATA_DIR'] ?? '', anAttempt({ account_id: '1', snapshot_id: id }));
});
afterAll(() => published.close());

type Surfaces = Readonly<Record<string, () => Promise<string>>>;

/** What a server says, by its address; without a read before, so that each speaks for itself. */
function surfacesOf(reader: ReturnType<typeof createReader>): Surfaces {
  const { app } = fakeApp({ snapshots: reader, findHolder, authenticate: findHolder });
  const page = (path: string) => async (): Promise<string> => {
    const browser = openBrowser(app);
    await browser.signIn(TOKENS.personal);
    return await browser.page(path);
  };
  const answer = (path: string) => async (): Promise<string> => {
    const headers = { authorization: `Bearer ${TOKENS.personal}` };
    return await (await app.request(path, { headers })).text();
  };
  return {
    '/': page('/'),
    '/night': page('/night'),
    'the page of the snapshot': page(`/snapshots/${id}`),
    'the page of rows': page(`/snapshots/${id}/tables/costs`),
    latest: answer('/v1/reporting/latest'),
    snapshots: answer('/v1/reporting/snapshots'),
    'the 503': answer(`/v1/reporting/snapshots/${id}/${FILE}`),
    readyz: async () => {
      const said = JSON.parse(await answer('/readyz')()) as { readonly damaged_files?: number };
      return said.damaged_files === 1 ? FILE : 'not counted';
    },
  };
}

const command =
  (add: Parameters<typeof runCommand>[0], ...args: string[]) =>
  async (): Promise<string> =>
    (await runCommand(add, env, ...args)).printed.join('\n');

const COMMANDS: Surfaces = {
  snapshots: command(addSnapshotsCommand, 'snapshots', '--account', '1'),
  status: command(addStatusCommand, 'status'),
  'status --json': command(addStatusCommand, 'status', '--json'),
  why: command(addWhyCommand, 'why', '--account', '1'),
  'why --json': command(addWhyCommand, 'why', '--account', '1', '--json'),
  doctor: command(addDoctorCommand, 'doctor'),
  'doctor --json': command(addDoctorCommand, 'doctor', '--json'),
  'the event': async () => {
    const events = await eventsOf();
    return events.flatMap((event) => (event.type === 'snapshot.damaged' ? event.files : [])).join();
  },
};

async function eventsOf(): Promise<readonly WebhookEvent[]> {
  const events: WebhookEvent[] = [];
  const service = published.database.pool('cf_service');
  await enqueueMissedEvents({
    service,
    enqueueEvent: async (event) => void events.push({ ...event }),
    readAccounts: async () => [1n],
    logOf: (account_id) => readLog(store, account_id),
    marksOf: (account_id) => readMarks(store, account_id),
    now,
    logger: createLogger('silent'),
  });
  return events;
}

/** The surfaces that do not name the file. */
async function silent(surfaces: Surfaces): Promise<readonly string[]> {
  const quiet: string[] = [];
  for (const [name, ask] of Object.entries(surfaces)) if (!(await ask()).includes(FILE)) quiet.push(name);
  return quiet;
}

it('damage is shown by every surface of the server that met it, without a mark, until the server finds the file whole', async () => {
  const met = createReader({ store, now, onFault: () => undefined });
  await flipBit(costs);
  await expect(met.openTable(1n, id, 'costs')).rejects.toMatchObject({ code: 'file_corrupt' });
  expect(await silent(surfacesOf(met))).toEqual([]);
  await flipBit(costs);
  await vi.waitFor(async () => {
    ahead += SIX_SECONDS; // each question has the file looked at again, and the next one hears of it
    expect(await surfacesOf(met)['readyz']?.()).toBe('not counted');
  }, 60_000);
  expect((await met.latest(1n))?.quarantine).toBeNull();
});

it('damage is shown by commands, other servers and an event once a read met it, until a scrub finds the file whole', async () => {
  const settings = readSettings(published.env);
  await using damage = watchDamage({ settings, logger: createLogger('silent') });
  const met = createReader({ store, now, onFault: () => undefined, onDamage: damage.onDamage });
  await flipBit(costs);
  await expect(met.openTable(1n, id, 'costs')).rejects.toMatchObject({ code: 'file_corrupt' });
  await vi.waitFor(async () => expect((await readMarks(store, 1n)).length).toBe(1), 30_000);
  const other = createReader({ store, now, onFault: () => undefined });
  expect(await silent({ ...COMMANDS, ...surfacesOf(other) })).toEqual([]);
  for (const name of ['status', 'why']) expect(await COMMANDS[name]?.()).toContain(`DAMAGED ${FILE}.`);
  await fs.rename(costs, `${costs}.lost`);
  for (const name of ['status', 'why']) expect(await COMMANDS[name]?.()).toContain(`${id} MISSING ${FILE}.`);
  await fs.rename(`${costs}.lost`, costs);
  await flipBit(costs);
  const mended = await runCommand(addScrubCommand, published.env, 'scrub', '--account', '1');
  expect(mended.error).toBeUndefined();
  ahead += MINUTE;
  expect(JSON.parse((await surfacesOf(other)['latest']?.()) ?? '')).toMatchObject({ quarantine: null });
  expect(await surfacesOf(other)['readyz']?.()).toBe('not counted');
  for (const name of ['status', 'why', 'doctor']) expect(await COMMANDS[name]?.()).not.toContain(FILE);
});

itInSweeps('damage of an older snapshot is shown too, as a warning', async () => {
  await published.build();
  await flipBit(costs);
  const { printed } = await runCommand(addScrubCommand, published.env, 'scrub', '--account', '1');
  expect(printed.join('\n')).toContain(`DAMAGED ${FILE}`);
  const other = createReader({ store, now, onFault: () => undefined });
  // These two are about the newest snapshot.
  const { latest: _, '/': __, ...surfaces } = surfacesOf(other);
  expect(await silent({ ...COMMANDS, ...surfaces })).toEqual([]);
  const damaged_snapshots = [{ snapshot_id: id, files: [FILE], missing: [] }];
  const account = { account_id: 1n, damaged_snapshots, newest_fault: null };
  const none = new Map<never, never>();
  expect(judgeDamage([account], none).outcome).toBe('warning');
  const newest = { ...account, account_id: 2n, newest_fault: 'damaged' as const };
  expect(judgeDamage([account, newest], none).outcome).toBe('failed');
  await flipBit(costs);
});
