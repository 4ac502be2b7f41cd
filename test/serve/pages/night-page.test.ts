import { expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import type { NightContext, OwnNight } from '../../../src/serve/pages/own-nights.ts';
import { instantOf } from '../../support/instant-of.ts';
import { EARLIER, fakeApp, FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { openBrowser } from './browser.ts';

const REFUSED: OwnNight = {
  night: '2026-11-20',
  state: 'refused',
  tries: 3,
  trouble: {
    code: 'audit_refused',
    explanation: 'reported_totals fy2026-q1: cost is <b>120000</b> cents',
    cents_off: 1,
    since: '2026-11-18',
    next: { command: 'npx --no crossfoot build --account 7', why: 'once the rows are right' },
  },
};
const PUBLISHED: OwnNight = { night: '2026-11-17', state: 'published', tries: 1, trouble: null };

async function nightOf(token: string, nights: readonly OwnNight[]) {
  const asked: bigint[] = [];
  const ownNights = async (account_id: bigint) => {
    asked.push(account_id);
    return nights;
  };
  const browser = openBrowser(fakeApp({ ownNights }).app);
  await browser.signIn(token);
  return { page: await browser.page('/night'), asked };
}

/** The page of all snapshots after that night. */
async function listAfter(night: OwnNight): Promise<string> {
  const browser = openBrowser(fakeApp({ ownNights: async () => [night] }).app);
  await browser.signIn(TOKENS.personal);
  return (await browser.page('/')).replaceAll(/\s+/g, ' ');
}

it('the page says what was refused, by how many cents, since when, and the one command to run next', async () => {
  const { page } = await nightOf(TOKENS.personal, [REFUSED, PUBLISHED]);
  expect(page).toContain('Night of <time datetime="2026-11-20">2026-11-20</time>: refused by the audit');
  expect(page).toContain('cost is &lt;b&gt;120000&lt;/b&gt; cents');
  expect(page).toContain('1 cent ($0.01)');
  expect(page).toContain('the night of <time datetime="2026-11-18">2026-11-18</time>');
  expect(page).toMatch(/<textarea[^>]*readonly[^>]*>\s*npx --no crossfoot build --account 7</);
  expect(page).toContain('Once the rows are right. The failed build changed nothing');
  expect(page).toMatch(
    /<th scope="row"><time datetime="2026-11-17">2026-11-17<\/time><\/th>\s*<td data-column="Ended"><strong class="good">published</,
  );
  expect(page).toContain('<h1>Last night was refused</h1>');
  expect(page).toContain('<a href="#next">What to do next</a>');
});

it('a failed night is shown on the page of all snapshots, and no other night', async () => {
  const told =
    'refused by the audit; a retry follows, off by 1 cent ($0.01), since the night of <time datetime="2026-11-18">2026-11-18</time>.';
  expect(await listAfter(REFUSED)).toContain(
    `<strong class="bad">Night of <time datetime="2026-11-20">2026-11-20</time></strong>: ${told}`,
  );
  expect(await listAfter(PUBLISHED)).not.toContain('role="alert"');
});

it('snapshots are shown even if the queue cannot be read', async () => {
  const browser = openBrowser(
    fakeApp({ ownNights: () => Promise.reject(new Error('the queue is away')) }).app,
  );
  await browser.signIn(TOKENS.personal);
  expect(await browser.page('/')).toContain('<h1>What was spent, what came back, what moved</h1>');
});

it('a published night shows only that it was published', async () => {
  const { page } = await nightOf(TOKENS.reporting, [PUBLISHED]);
  expect(page).toContain('Night of <time datetime="2026-11-17">2026-11-17</time>: published.');
  expect(page).not.toContain('role="alert"');
  expect(page).toContain('<h1>Last night went well</h1>');
  expect(page).toContain('Nothing is left to do.');
  expect(page).toContain('<a href="docs/bad-night">');
  expect(page).toContain('No earlier night is recorded.');
});

it('the page shows the nights of the account only, and says when there are none', async () => {
  const { page, asked } = await nightOf(TOKENS.other, []);
  expect(asked).toEqual([8n]);
  expect(page).toContain('No night of the last fourteen was queued for this account.');
});

const nightContext = async () => ({
  deliveries: [],
  pending: null,
  next_at: instantOf('2026-11-21T02:00:00.000000Z'),
  builds: [
    {
      began_at: instantOf('2026-11-20T02:30:00.000000Z'),
      tables_at: instantOf('2026-11-20T02:30:00.620000Z'),
      audited_at: instantOf('2026-11-20T02:30:01.310000Z'),
      ended_at: instantOf('2026-11-20T02:30:01.660000Z'),
      started_by: 'hand' as const,
      outcome: 'published' as const,
      snapshot_id: LATEST,
      code: null,
      trouble: null,
      tables: [
        { name: 'costs', rows: 1_234, bytes: 45_678, ms: 21 },
        { name: 'budgets', rows: 3, bytes: 900, ms: 1_450 },
      ],
    },
  ],
});

it('the page shows each night since the first with a word, the next one, and builds with their last stages', async () => {
  const browser = openBrowser(fakeApp({ ownNights: async () => [REFUSED, PUBLISHED], nightContext }).app);
  await browser.signIn(TOKENS.personal);
  const page = (await browser.page('/night')).replaceAll(/\s+/g, ' ');
  expect(page).toContain('The next night is due at <time datetime="2026-11-21T02:00:00.000000Z">');
  const [, strip = ''] = /<ol class="strip">(.*?)<\/ol>/.exec(page) ?? [];
  const days = [...strip.matchAll(/<time datetime="([^"]+)" ?>.*?<span>(.*?)<\/span>/g)].map(
    ([, ...found]) => found,
  );
  expect(page).toContain('<h2 id="strip">Nights so far</h2>');
  expect(days).toEqual([
    ['2026-11-17', 'published'],
    ['2026-11-18', 'not queued'],
    ['2026-11-19', 'not queued'],
    ['2026-11-20', 'refused'],
    ['2026-11-21', 'next'],
  ]);
  const [, stages = ''] = /<table class="stages">(.*?)<\/table>/.exec(page) ?? [];
  expect([...stages.matchAll(/<td class="number">(.*?)<\/td>/g)].map(([, time]) => time)).toEqual([
    '620 ms',
    '690 ms',
    '350 ms',
    '1.66 s',
  ]);
  expect(page).toContain('<td data-column="Started">by hand</td>');
  expect(page).toContain(`<a href="snapshots/${LATEST}">${LATEST}</a>`);
});

/** The words of the strip after one published night, with these snapshots. */
async function stripWords(versions: FakeSnapshots['versions']) {
  const snapshots = Object.assign(new FakeSnapshots(), { versions });
  const browser = openBrowser(fakeApp({ ownNights: async () => [PUBLISHED], snapshots }).app);
  await browser.signIn(TOKENS.personal);
  const page = await browser.page('/night');
  expect(page).toContain('<span>· no night</span>');
  const [, strip = ''] = /<ol class="strip">(.*?)<\/ol>/s.exec(page) ?? [];
  return [...strip.matchAll(/<span>(.*?)<\/span>/g)].map(([, word]) => word);
}

it('the page calls a night not queued when an earlier snapshot existed, and when snapshots cannot be read', async () => {
  const version = { seq: 1, expired: true, pins: [], damaged_files: [] };
  const since = async (snapshot_id: string) => await stripWords(async () => [{ ...version, snapshot_id }]);
  // Fourteen nights from 2026-11-07 to 2026-11-20; that of 2026-11-17 is the eleventh.
  expect((await since('20261101T020000Z')).slice(0, 11)).toEqual([
    ...Array.from({ length: 10 }, () => 'not queued'),
    'published',
  ]);
  // The first snapshot is of 2026-11-09: the two nights before it are not shown.
  expect((await since('20261109T020000Z')).slice(0, 9)).toEqual([
    ...Array.from({ length: 8 }, () => 'not queued'),
    'published',
  ]);
  const unread = await stripWords(() => Promise.reject(new CrossfootError('store_unavailable', 'unread')));
  expect(unread.slice(0, 2)).toEqual(['not queued', 'not queued']);
});

it('the page tells first of a build that failed after a good night, and not of one before a good build', async () => {
  const around = await nightContext();
  const [good] = around.builds;
  if (good === undefined) throw new Error('no build');
  const failed = {
    ...good,
    began_at: instantOf('2026-11-20T15:33:00.000000Z'),
    started_by: 'queue' as const,
    outcome: 'failed' as const,
    snapshot_id: null,
    code: 'audit_refused',
    trouble: {
      code: 'audit_refused',
      explanation: 'costs USD: amount_cents is 1970850 cents, expected 2095850 cents',
      next: { command: 'npx --no crossfoot build --account 7', why: 'once the rows are right' },
    },
  };
  const pageOf = async (builds: NightContext['builds'], nights: readonly OwnNight[]): Promise<string> => {
    const context = async () => ({ ...around, builds });
    const browser = openBrowser(fakeApp({ ownNights: async () => nights, nightContext: context }).app);
    await browser.signIn(TOKENS.personal);
    return (await browser.page('/night')).replaceAll(/\s+/g, ' ');
  };
  for (const nights of [[PUBLISHED], []]) {
    const page = await pageOf([failed, good], nights);
    expect(page).toContain('amount_cents is 1970850 cents, expected 2095850 cents');
    expect(page).toMatch(/2026-11-20 15:33 UTC<\/time> ?, started by a rebuild, published nothing\./);
    expect(page).toMatch(/<textarea[^>]*readonly[^>]*>\s*npx --no crossfoot build --account 7</);
    expect(page).not.toContain('Last night went well');
  }
  expect(await pageOf([failed, good], [PUBLISHED])).toContain('<a href="#next">What to do next</a>');
  // The whole build came later: nothing is left to tell.
  expect(await pageOf([good, failed], [PUBLISHED])).toContain('<h1>Last night went well</h1>');
  // Another machine published since.
  const earlier = { ...failed, began_at: instantOf('2026-07-01T02:00:00.000000Z') };
  expect(await pageOf([earlier, good], [PUBLISHED])).toContain('<h1>Last night went well</h1>');
  // A night that failed itself tells its own failure, once.
  const page = await pageOf([failed, good], [REFUSED]);
  expect(page).toContain('<h1>Last night was refused</h1>');
  expect(page.split('id="next"')).toHaveLength(2);
});

it('the page shows the time of each table of the last build, and leads to what a kept snapshot moved', async () => {
  const around = await nightContext();
  const [build] = around.builds;
  // Account 7 keeps two snapshots: the older one has none before it, and the third is no longer kept.
  const ids = [LATEST, EARLIER, '20200101T000000Z'];
  const builds = ids.flatMap((snapshot_id) => (build === undefined ? [] : [{ ...build, snapshot_id }]));
  const browser = openBrowser(fakeApp({ nightContext: async () => ({ ...around, builds }) }).app);
  await browser.signIn(TOKENS.personal);
  const page = (await browser.page('/night')).replaceAll(/\s+/g, ' ');
  const [, times = ''] = /<summary>Time of each table<\/summary>(.*?)<\/table>/.exec(page) ?? [];
  expect(
    [...times.matchAll(/<tr>(.*?)<\/tr>/g)]
      .slice(1)
      .map(([, row = '']) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell)),
  ).toEqual([
    ['<a href="tables/costs">costs</a>', '1,234', '46 kB', '21 ms'],
    ['<a href="tables/budgets">budgets</a>', '3', '1 kB', '1.45 s'],
  ]);
  expect([...page.matchAll(/data-column="What moved">(.*?)<\/td>/g)].map(([, cell]) => cell)).toEqual([
    `<a href="snapshots/${LATEST}/changes">since the one before</a>`,
    '',
    '',
  ]);
});

const pageWith = async (context: NightContext): Promise<string> => {
  const browser = openBrowser(fakeApp({ nightContext: async () => context }).app);
  await browser.signIn(TOKENS.personal);
  return (await browser.page('/night')).replaceAll(/\s+/g, ' ');
};

it('the page shows the newest delivery to each target, and no heading of deliveries without one', async () => {
  const around = await nightContext();
  const of = { snapshot_id: LATEST, tries: 1, fault: null };
  const deliveries = [
    { ...of, target_id: 1n, state: 'delivered' },
    { ...of, target_id: 2n, state: 'pending', tries: 3, fault: 'target: refused <403>.' },
    { ...of, target_id: 3n, state: 'failed', tries: 17, fault: 'target: no answer.' },
  ];
  expect(await pageWith(around)).not.toContain('Deliveries');
  const page = await pageWith({ ...around, deliveries });
  const [, rows = ''] = /<h2 id="deliveries">(.*?)<\/table>/.exec(page) ?? [];
  expect(
    [...rows.matchAll(/<tr>(.*?)<\/tr>/g)]
      .slice(1)
      .map(([, row = '']) => row.replaceAll(/<[^>]*>/g, '|').replaceAll(/[ |]*\|[ |]*/g, '|')),
  ).toEqual([
    `|1|${LATEST}|delivered|1|`,
    `|2|${LATEST}|on its way|3|target: refused &lt;403&gt;.|`,
    `|3|${LATEST}|failed, with no retry left|17|target: no answer.|`,
  ]);
});

it('the page needs a sign-in', async () => {
  const answer = await openBrowser().send('/night');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, './?to=night']);
});

it('the page names the snapshot of a build by hand where no night was queued yet', async () => {
  const browser = openBrowser(fakeApp({ ownNights: async () => [], nightContext }).app);
  await browser.signIn(TOKENS.personal);
  const page = (await browser.page('/night')).replaceAll(/\s+/g, ' ');
  expect(page).toContain(
    `Its newest snapshot, <a href="snapshots/${LATEST}">${LATEST}</a>, was built by hand at <time datetime=`,
  );
});
