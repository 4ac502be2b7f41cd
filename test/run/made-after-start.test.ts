/**
 * First start = restart: what a server or worker reads once, or caches, and what shows that it is used if somebody makes it
 * after the start. Settings are excepted: a process has those it began with.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const TOP = join(import.meta.dirname, '../..');

/** What is made after the start, and the titles of the tests that make it then and use it without a restart, by file. */
const MADE_LATER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'the key that signs, made or replaced': {
    'test/run/signing.test.ts': [
      'are those that another process creates and replaces later, and the same object between',
    ],
    'test/serve/reporting/signing-routes.test.ts': [
      'lists the key once there is one, and then refuses a log that it could not check before',
    ],
    'test/commands/start.test.ts': [
      'lists the key that signed, so that the page proves the snapshots of every account',
    ],
  },
  'a token': {
    'test/serve/auth/token-cache.test.ts': [
      'that was refused is asked for again at once: it may just have been issued',
      // Its number stays where the test is.
      'is dead within five seconds of its end, however slow the look-up was',
    ],
    'test/commands/start.test.ts': ['join its database: they read, write and build, all at once'],
  },
  'a session that another server ended': {
    'test/run/server/service.test.ts': [
      'is over at every server within five seconds of its sign-out at one of them',
    ],
  },
  'the first snapshot, and each further one': {
    'test/snapshot/read/reader.test.ts': [
      'a new snapshot is seen within five seconds, and at once by its id or where the log is asked for anew',
    ],
  },
  'a retraction, a quarantine or a pin': {
    'test/snapshot/read/reader.test.ts': [
      'for marks once a minute',
      'the reader serves a restored file five seconds after a scrub lifted its quarantine, though other marks are read once a minute',
    ],
    'test/run/damage-told.test.ts': [
      'damage is shown by commands, other servers and an event once a read met it, until a scrub finds the file whole',
    ],
  },
  'the head of a log that another process saw': {
    'test/run/seen-heads.sweep.test.ts': [
      'a store that was emptied and rebuilt is refused by each memory alone, until its head is accepted',
    ],
    'test/snapshot/read/damaged-log.test.ts': ['is refused when it went back while a server reads it broken'],
  },
  'rows of the ledger, and a ledger restored beneath the server': {
    'test/serve/live/roi-cache.test.ts': [
      'follows each change: added, changed, moved to a sample and back, deleted',
      'is worked out anew where the ledger was restored beneath the server',
      'is worked out anew where the fiscal year begins in another month',
    ],
  },
  'an exchange rate': { 'test/ops/account-changes.test.ts': ['a rate, which no account owns'] },
  'a help article': { 'test/serve/site/article-shelf.test.ts': ['the shelf shows a change within a minute'] },
  'an account that reports, or reports no more': {
    'test/run/worker/queue-night.test.ts': [
      'leaves out an account whose tables are switched off, which a build asks again',
    ],
    'test/run/builders/queued-build.sweep.test.ts': [
      'F-47: a build of an account that was switched off after its request ends as off, without a retry',
    ],
  },
  'a build queued by another process': {
    'test/ops/queue.test.ts': ['that twenty processes queue at once is queued once for each account (F-36)'],
  },
  'the objects of a store that was away': {
    'test/run/server/service.test.ts': [
      'is not ready without what its store holds, says which part, and is ready again when it is back',
    ],
  },
  'the clock of the database': {
    'test/run/clocks.test.ts': [
      'the clock of a server follows its database every minute, and stands by the last difference without an answer',
    ],
  },
  'a PostgreSQL that was started again': {
    'test/embedded/embedded.test.ts': [
      'is started again on its port after a kill, and its logins and pools go on',
    ],
    'test/commands/start.test.ts': ['goes on when its PostgreSQL is killed before it is ready'],
  },
  'an event to tell': {
    'test/webhooks/missed-events.test.ts': [
      'queues the event of a snapshot whose builder died, once, and none older than the webhook',
    ],
  },
};

/** The modules with a cache, each with what above it caches, or why it never grows old. */
const BY_DIGEST = 'by the digest of a file: another file has another';
const CACHES: Readonly<Record<string, string>> = {
  'src/diff/feed-cache.ts': BY_DIGEST,
  'src/diff/held-cache.ts': BY_DIGEST,
  'src/lake/catalogues.ts': 'a retraction, a quarantine or a pin',
  'src/lake/gather-lake.ts': BY_DIGEST,
  'src/run/worker/deliveries.ts': 'the first snapshot, and each further one',
  'src/run/worker/webhooks.ts': 'the first snapshot, and each further one',
  'src/serve/auth/token-cache.ts': 'a token',
  'src/serve/http/readiness.ts': 'the objects of a store that was away',
  'src/serve/live/budget-comparisons.ts': 'rows of the ledger, and a ledger restored beneath the server',
  'src/serve/live/figure-cache.ts': 'rows of the ledger, and a ledger restored beneath the server',
  'src/serve/live/portfolio-sums.ts': 'rows of the ledger, and a ledger restored beneath the server',
  'src/serve/live/snapshot-roi.ts': BY_DIGEST,
  'src/serve/live/snapshot-usage.ts': BY_DIGEST,
  'src/serve/money/budget-lines.ts': BY_DIGEST,
  'src/serve/money/initiative.ts': BY_DIGEST,
  'src/serve/money/months.ts': BY_DIGEST,
  'src/serve/money/overview.ts': BY_DIGEST,
  'src/serve/frame/ended-sessions.ts': 'a session that another server ended',
  'src/serve/metrics/snapshot-ages.ts': 'the first snapshot, and each further one',
  'src/serve/pages/snapshot-bar.ts': BY_DIGEST,
  'src/serve/rows/known-moves.ts': BY_DIGEST,
  'src/serve/rows/changes.ts': BY_DIGEST,
  'src/serve/rows/cached-rows.ts': BY_DIGEST,
  'src/serve/rows/id-names.ts': BY_DIGEST,
  'src/serve/site/article-shelf.ts': 'a help article',
  'src/snapshot/read/chain-cache.ts': 'the first snapshot, and each further one',
  'src/snapshot/read/checked-bytes.ts': BY_DIGEST,
  'src/snapshot/read/entry-manifest.ts': 'a retraction, a quarantine or a pin',
  'src/snapshot/read/rows.ts': BY_DIGEST,
  'src/snapshot/read/unpacked-store.ts': 'the first snapshot, and each further one',
};

const read = (path: string): string => readFileSync(join(TOP, path), 'utf8');

describe('a thing that is made after the start', () => {
  it.each(Object.entries(MADE_LATER))('is used without a restart: %s', (_, proofs) => {
    for (const [file, titles] of Object.entries(proofs)) {
      const text = read(file);
      expect(titles.filter((title) => !text.includes(`${title}'`))).toEqual([]);
    }
  });

  it('has a row for every module that caches, with what it caches', () => {
    const sources = readdirSync(join(TOP, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `src/${path}`);
    expect(sources.filter((path) => /\bnew Cache\b/.test(read(path))).toSorted()).toEqual(
      Object.keys(CACHES).toSorted(),
    );
    const known = [BY_DIGEST, ...Object.keys(MADE_LATER)];
    expect(Object.values(CACHES).filter((what) => !known.includes(what))).toEqual([]);
  });
});
