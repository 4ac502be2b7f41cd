/**
 * One schedule: builders, collectors, readers and others, drawn from a seed, live through weeks of faults; then the
 * weather calms down, and everything that was promised must be there.
 */
import { build } from './builder.ts';
import { keepReading, openReader, readTable } from './reader.ts';
import { ACCOUNT } from './history.ts';
import { collect, markSome, scrubAll } from './janitors.ts';
import type { Befallen } from './scheduled-store.ts';
import { type Process, type World, worldOf } from './world.ts';

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** What came of a schedule. */
export interface Lived extends Befallen {
  readonly bad: readonly string[];
  readonly trace: readonly string[];
  readonly turns: number;
  readonly pauses: number;
  readonly published: number;
  /** Objects of published snapshots that went, in their time. */
  readonly removed: number;
}

/** Lives through the schedule of that seed: the same again, each time. */
export async function liveThrough(seed: number, traced = false): Promise<Lived> {
  const world = worldOf(seed, traced);
  const { scheduler, history, befallen } = world;
  await growOld(world);
  world.storm();
  engage(world);
  history.refuse(!(await scheduler.run()), 'there is no end to it');
  const { length } = history.log;
  if (history.bad.length === 0) await afterwards(world);
  return {
    ...befallen,
    bad: history.bad,
    trace: scheduler.trace ?? [],
    turns: scheduler.turns,
    pauses: scheduler.pauses,
    published: length,
    removed: history.removed,
  };
}

/** Snapshots of the first days, a day apart, before anything goes wrong. */
async function growOld(world: World): Promise<void> {
  const { scheduler, theme } = world;
  for (let day = 0; day < theme.veterans; day += 1) {
    const order = { night: `2026-03-0${1 + day}`, once: false, work_ms: 0, tries: 1 };
    world.begin(`veteran ${day}`, theme.begins_at + day * DAY, async (process) => {
      await build(world, order, process);
    });
  }
  await scheduler.run();
}

function engage(world: World): void {
  const { chance, theme } = world;
  theme.meetings.forEach((meeting, night) => {
    const once = chance.happens(0.3);
    const come = (who: string, work: (process: Process) => Promise<void>): void =>
      world.begin(`${who} ${night}`, meeting + chance.below(2 * SECOND), work);
    for (let number = chance.oneOf(theme.builders); number > 0; number -= 1) {
      const order = {
        night: `2026-04-0${1 + night}`,
        once,
        work_ms: chance.oneOf([0, 100, 2_000]),
        tries: chance.oneOf([1, 3]),
      };
      come(`builder ${number} of`, async (process) => void (await build(world, order, process)));
    }
    if (chance.happens(theme.collectors)) come('collector', (process) => collect(world, process));
    if (chance.happens(theme.collectors / 3)) come('second collector', (process) => collect(world, process));
    if (chance.happens(theme.readers)) {
      const questions = 1 + chance.below(3);
      come('reader', (process) => keepReading(world, questions, process));
    }
    if (chance.happens(theme.markers)) come('marker', (process) => markSome(world, process));
    if (chance.happens(theme.markers / 3)) come('second marker', (process) => markSome(world, process));
    if (chance.happens(theme.scrubs)) come('scrub', (process) => scrubAll(world, process));
  });
}

/** The next build publishes, all that is promised is read whole, and nothing is left lying about. */
async function afterwards(world: World): Promise<void> {
  const { chance, scheduler, history, shelf } = world;
  world.calm();
  world.begin('last builder', scheduler.now + DAY, async (process) => {
    const order = { night: '2026-12-31', once: false, work_ms: 0, tries: 1 };
    const published = await build(world, order, process);
    history.refuse(!published, 'nothing can be published any more');
    const reader = openReader(world, process);
    const asked_at = scheduler.now;
    const latest = await reader.latest(ACCOUNT);
    history.refuse(
      latest?.snapshot_id !== history.log.at(-1)?.snapshot_id,
      'the newest snapshot is not the latest',
    );
    const listed = (await reader.list(ACCOUNT)).map(({ snapshot_id }) => snapshot_id);
    for (const entry of history.log.filter((each) => history.mustBeReadable(each, asked_at))) {
      const { snapshot_id } = entry;
      history.refuse(
        !listed.includes(snapshot_id),
        `entry ${entry.seq} is not listed, and is promised still`,
      );
      history.refuse(
        !(await readTable(world, reader, snapshot_id)),
        `entry ${entry.seq} cannot be read, and is promised still`,
      );
    }
  });
  await scheduler.run();
  // It takes as long as the rest of a schedule.
  if (chance.happens(0.5)) return;
  // Long after every pin; twice, because a build that was fenced off is taken away by then.
  world.begin('last collector', scheduler.now + 60 * DAY, (process) => collect(world, process));
  await scheduler.run();
  const kept = new Set(history.log.slice(-2).map(({ prefix }) => prefix));
  for (const [key, { bytes }] of shelf.objects) {
    const [, prefix = ''] = /^(.*\/s\/[^/]*)\//.exec(key) ?? [];
    const fence = key.endsWith('/manifest.json') && bytes.length < 100;
    history.refuse(prefix !== '' && !kept.has(prefix) && !fence, `${key} lies about for ever`);
  }
}
