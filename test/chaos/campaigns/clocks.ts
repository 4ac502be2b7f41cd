/**
 * The real program while a clock is two days or more from right: its own, the database's, the store's, or all of them.
 * A clock that is off queues, publishes and deletes nothing; a head that wrong clocks dated in the future is mended by
 * the one command that the refusal names. Each unit is every scenario once, on ledgers and stores of their own.
 */
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type ClocksHarness, openClocksHarness, stop, until } from '../clocks-harness.ts';
import { type Ahead, type ClockedCluster, lacksFaketime, startClockedCluster } from '../moved-clocks.ts';

const DAYS = 2;
/** 14 days are promised: the files of a snapshot this old go two days after a newer one was published. */
const OLD_DAYS = 20;
const PAST_DUE_DAYS = 3;
const RIGHT: Ahead = {};

export const clocks: Campaign = {
  name: 'clocks',
  title: 'the real program while its clock, the database’s or the store’s is days from right',
  rows: ['F-34'],
  unit: 'rounds',
  times: { short: 1, long: 2 },
  lacks: lacksFaketime,
  run: moveClocks,
};

type Figures = Record<'refused' | 'published' | 'heads mended' | 'deleted when due', number>;
type Scenario = (harness: ClocksHarness, cluster: ClockedCluster, figures: Figures) => Promise<void>;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a worker ahead': workAhead,
  'a database ahead': buildBesideDatabaseAhead,
  'a head of the future': mendHead,
  'a prune by a wrong clock': pruneByWrongClocks,
};

async function moveClocks({ times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const bad: string[] = [];
  const figures: Figures = { refused: 0, published: 0, 'heads mended': 0, 'deleted when due': 0 };
  await using cluster = await startClockedCluster();
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      try {
        await cluster.set(0);
        await using harness = await openClocksHarness(cluster);
        await scenario(harness, cluster, figures);
      } catch (error) {
        bad.push(violationText(`${name}, round ${done + 1}`, error));
      }
      say(`${done + 1} of ${times}: ${name}`);
    }
  }
  return { done, bad, figures };
}

/** Two days ahead a worker would build the night of the day after tomorrow (server E1). */
async function workAhead(harness: ClocksHarness, _: ClockedCluster, figures: Figures): Promise<void> {
  const refuse = async (): Promise<void> => {
    const ahead = harness.start({ program: DAYS }, 'work');
    const line = await ahead.said(/"code":"clocks_disagree"/);
    await stop(ahead);
    demand(line.includes('night.postponed'), `work said ${line}`);
    demand(off("This machine's", DAYS, 'queued').test(line), `work said ${line}`);
    figures.refused += 1;
  };
  await refuse();
  await requireRefusal(harness, { program: DAYS }, off("This machine's", DAYS, 'built'), figures, BUILD);
  await requireRefusal(harness, { program: DAYS }, off("This machine's", DAYS, 'queued'), figures, ENQUEUE);
  demand((await harness.queued()) === 0, 'something is queued');
  await requireNights(harness, []);

  const right = harness.start(RIGHT, 'work');
  await until(
    'the night',
    async () => (await harness.log(1)).length > 0 && (await harness.log(2)).length > 0,
  );
  await stop(right);
  figures.published += 2;
  await refuse();
  const again = harness.start(RIGHT, 'work');
  await again.said(/"event":"night\.queued"/);
  await stop(again);
  await harness.mustRun(RIGHT, 'work', '--until-empty');
  await requireNights(harness, [harness.night]);
}

async function buildBesideDatabaseAhead(
  harness: ClocksHarness,
  cluster: ClockedCluster,
  figures: Figures,
): Promise<void> {
  for (const days of [DAYS, -DAYS]) {
    await cluster.set(days);
    await requireRefusal(harness, RIGHT, off("The database's", days, 'built'), figures, BUILD);
  }
  await cluster.set(0);
  await requireRefusal(harness, { store: DAYS }, off("The store's", DAYS, 'built'), figures, BUILD);
  await requireNights(harness, []);
}

/** Clocks that agree and are wrong publish a head of the future (server E2). */
async function mendHead(harness: ClocksHarness, cluster: ClockedCluster, figures: Figures): Promise<void> {
  await harness.mustRun(RIGHT, ...BUILD);
  const [first] = await harness.log(1);
  const retractFirst = ['retract', first?.snapshot_id ?? '', '--account', '1', '--future-head'];
  // By a store that is behind, the right head is one of the future.
  await requireRefusal(
    harness,
    { store: -DAYS },
    off("This machine's", DAYS, 'retracted'),
    figures,
    retractFirst,
  );
  await cluster.set(DAYS);
  await harness.mustRun(all(DAYS), ...BUILD);
  await cluster.set(0);
  const [, head] = await harness.log(1);
  demand(head !== undefined && head.snapshot_id > idOf(DAYS - 1), `the head is ${head?.snapshot_id}`);
  figures.published += 2;

  const { code, stderr } = await harness.run(RIGHT, ...BUILD);
  const [, command = ''] = /crossfoot (retract \S+ --account 1 --future-head)/.exec(stderr.join('\n')) ?? [];
  demand(code === 1 && command !== '', `build ended with ${code}: ${stderr.join(' | ')}`);
  figures.refused += 1;
  const doctor = await harness.run(RIGHT, 'doctor');
  demand(doctor.stdout.join('\n').includes(command), `doctor does not name ${command}`);

  await harness.mustRun(RIGHT, ...command.split(' '));
  await harness.mustRun(RIGHT, ...BUILD);
  const [, , next, ...more] = await harness.log(1);
  demand(next !== undefined && more.length === 0, 'the next build published nothing');
  const { snapshot_id = '' } = next ?? {};
  demand(snapshot_id > (first?.snapshot_id ?? '') && snapshot_id < idOf(1), `${snapshot_id} was published`);
  const verified = await harness.mustRun(RIGHT, 'verify', 'latest', '--account', '1');
  demand(verified.join('\n').includes(snapshot_id), `verify latest is not of ${snapshot_id}`);
  const served = await harness.served();
  demand(served === snapshot_id, `${served} is served, not ${snapshot_id}`);
  figures.published += 1;
  figures['heads mended'] += 1;
}

/** What is due by one clock alone, or by two of three, stays (server E5). */
async function pruneByWrongClocks(
  harness: ClocksHarness,
  cluster: ClockedCluster,
  figures: Figures,
): Promise<void> {
  await cluster.set(-OLD_DAYS);
  await harness.mustRun(all(-OLD_DAYS), ...BUILD);
  await cluster.set(0);
  // The files of the newest two stay at any age.
  await harness.mustRun(RIGHT, ...BUILD);
  await harness.mustRun(RIGHT, ...BUILD);
  figures.published += 3;
  const ids = (await harness.log(1)).map(({ snapshot_id }) => snapshot_id);
  const files = await harness.files();
  for (const days of [PAST_DUE_DAYS, -PAST_DUE_DAYS]) {
    await requireRefusal(harness, { program: days }, off("This machine's", days, 'deleted'), figures, PRUNE);
    await requireRefusal(harness, { store: days }, off("The store's", days, 'deleted'), figures, PRUNE);
    await cluster.set(days);
    await requireRefusal(harness, RIGHT, off("The database's", days, 'deleted'), figures, PRUNE);
    await requireRefusal(harness, { program: days }, off("The store's", -days, 'deleted'), figures, PRUNE);
    await cluster.set(0);
  }
  const left = await harness.files();
  demand(left.join() === files.join(), `${left.length} of ${files.length} files are left`);
  const listed = (await harness.mustRun(RIGHT, 'snapshots', '--account', '1')).join('\n');
  for (const id of ids) demand(listed.includes(id), `${id} is not listed`);

  // That something was due by those clocks: when all of them say so, it goes.
  await harness.mustRun(RIGHT, ...PRUNE);
  demand((await harness.files()).join() === files.join(), 'files were deleted before they were due');
  await cluster.set(PAST_DUE_DAYS);
  await harness.mustRun(all(PAST_DUE_DAYS), ...PRUNE);
  await cluster.set(0);
  demand((await harness.files()).length < files.length, 'nothing was deleted when it was due');
  figures['deleted when due'] += 1;
}

const BUILD = ['build', '--account', '1'] as const;
const ENQUEUE = ['enqueue', '--account', '1'] as const;
const PRUNE = ['prune'] as const;

const all = (days: number): Ahead => ({ program: days, store: days });

/** The sentence that names the clock; a second is lost to rounding, more to a slow machine. */
function off(clock: string, days: number, undone: string): RegExp {
  const seconds = Math.abs(days) * 86_400;
  const about = `(?:${String(seconds).slice(0, 4)}|${String(seconds - 1).slice(0, 4)})\\d\\d`;
  return new RegExp(
    `${clock} clock is ${about} s ${days > 0 ? 'ahead of' : 'behind'} .*nothing was ${undone}\\.`,
  );
}

async function requireRefusal(
  harness: ClocksHarness,
  ahead: Ahead,
  sentence: RegExp,
  figures: Figures,
  args: readonly string[],
): Promise<void> {
  const { code, stderr } = await harness.run(ahead, ...args);
  demand(
    code === 1 && sentence.test(stderr.join('\n')),
    `${args.join(' ')} by ${JSON.stringify(ahead)} ended with ${code}: ${stderr.join(' | ')}`,
  );
  figures.refused += 1;
}

async function requireNights(harness: ClocksHarness, nights: readonly string[]): Promise<void> {
  for (const account of [1, 2]) {
    const found = (await harness.log(account)).map(({ night }) => night);
    demand(found.join() === nights.join(), `account ${account} has the nights ${found.join()}`);
  }
}

/** The id of a snapshot so many days from now. */
function idOf(days: number): string {
  const at = new Date(Date.now() + days * 86_400_000).toISOString();
  return at.replaceAll(/[-:]|\.\d+/g, '');
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
