/** Nights into a bucket that computes digests, from a real ledger: what they ask it, and that it has what was audited. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import { buildAccount } from '../../../src/run/builders/build-account.ts';
import { builderSessions } from '../../../src/run/builders/builder-sessions.ts';
import { CLOCK } from '../../../src/run/machine.ts';
import { unpacked } from '../../../src/snapshot/read/unpacked-store.ts';
import { testStore } from '../../../src/store/self-test.ts';
import { AT_ONCE, openScripted } from '../../store/bucket-harness.ts';
import { createDatabase } from '../../support/database.ts';
import { startScriptedS3 } from '../../support/scripted-s3.ts';
import { signingWith } from '../../support/signing.ts';
import { scrubNow } from '../../snapshot/keep/scrub-harness.ts';
import { countCalls, sumOf } from './counted-calls.ts';

// 14 tables, FOCUS, what they share, the manifest and two signatures of it.
const OBJECTS = 19;

it('a later night in the packed layout asks such a bucket 45 times, and reads back nothing', async () => {
  await using opened = new AsyncDisposableStack();
  const s3 = opened.use(await startScriptedS3());
  const database = await createDatabase('template_company');
  opened.defer(() => database.drop());
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-stated-'));
  opened.defer(() => rm(root, { recursive: true }));
  const settings = readSettings({ LEDGER_URL: database.url('cf_reader'), APP_URL: 'https://app.example' });
  const sessions = opened.use(builderSessions(settings));
  if (sessions.reader === null) throw new Error('the settings name a ledger');
  const bucket = { ...unpacked(openScripted(s3), CLOCK.now), signing: signingWith() };
  await testStore(bucket, { clock: AT_ONCE, randomUuid: randomUUID });
  const counted = countCalls();
  const nights = [];
  for (const night of ['2026-07-15', '2026-07-16']) {
    await buildAccount({
      account_id: 1n,
      night,
      once: false,
      schedule: settings.schedule,
      sessions: sessions.reader,
      store: counted.wrap(bucket),
      spoolRoot: join(root, 'spool'),
      layout: 'packed',
      signal: new AbortController().signal,
      onEvent: () => undefined,
      logger: createLogger('silent'),
    });
    nights.push(counted.take());
  }
  const [first = {}, later = {}] = nights;
  const probes = { 'create probe': 1, 'stat probe': 1, 'delete probe': 1 };
  expect(later).toEqual({
    'create snapshot': OBJECTS,
    'create log': 1,
    ...probes,
    'list log': 1,
    'readSmall log': 2,
    'readSmall snapshot': 1, // the manifest of the night before
    'list marks': 1,
    'readSmall marks': 1,
    'readRange snapshot': 14, // the tables of the night before
    'create comparison': 2,
  });
  expect(sumOf(later)).toBe(45);
  // A process reads the clock of its store once more before its first build: every other first night asks 25 times.
  expect(sumOf(first)).toBe(OBJECTS + 'list log, readSmall log, create log'.split(', ').length + 2 * 3);
  const { told } = await scrubNow(bucket, { now: CLOCK.now() }, { which: 'all' });
  expect(told).toHaveLength(2);
  expect(told.every((line) => line.startsWith('read '))).toBe(true);
});
