/** The actors that change published objects: the collector, the scrub, and a person who pins. */
import { pin, unpin } from '../../../src/snapshot/keep/pins.ts';
import { prune } from '../../../src/snapshot/keep/prune.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import { scrub } from '../../../src/snapshot/keep/scrub.ts';
import { ACCOUNT } from './history.ts';
import { foreseen, type Process, type World } from './world.ts';

const DAY = 86_400_000_000;

/** Takes away what may go, and notes how it was told off. */
export async function collect({ scheduler, history }: World, process: Process): Promise<void> {
  const { actor } = process;
  // Databases and stores have the true time; only asking for it takes some.
  const readClock = async (): Promise<bigint> => {
    await scheduler.turn(actor, 'asks for the time');
    return BigInt(scheduler.now);
  };
  const onFault = (_: bigint, fault: unknown): void => onlyForeseen(history, actor.name, fault);
  try {
    await prune(
      { account_id: ACCOUNT, dryRun: false },
      {
        ...process,
        by: actor.name,
        readDatabaseClock: readClock,
        readStoreClock: readClock,
        onRemoval: () => undefined,
        onFault,
      },
    );
  } catch (error) {
    // It stood still for longer than clocks may differ, in the very middle of asking for them.
    foreseen(error, 'clocks_disagree');
  }
}

/** Reads everything that is due; nothing is damaged in this world, so nothing may be found so. */
export async function scrubAll({ scheduler, history }: World, process: Process): Promise<void> {
  const { actor, store } = process;
  try {
    await scrub(
      {
        account_id: ACCOUNT,
        budget_bytes: 1_000_000,
        dryRun: false,
        signal: new AbortController().signal,
      },
      {
        ...process,
        openStore: async () => store,
        now: BigInt(scheduler.now),
        by: actor.name,
        onDue: () => undefined,
        onDamage: ({ entry, files }) =>
          history.bad.push(`${actor.name} calls ${files.join(', ')} of entry ${entry.seq} damaged`),
        onRestored: () => undefined,
        onStrange: () => undefined,
        onUnknownKey: () => undefined,
        onDamagedComparison: () => undefined,
        onFault: (_, fault) => onlyForeseen(history, actor.name, fault),
      },
    );
  } catch (error) {
    foreseen(error);
  }
}

/** Pins a snapshot for some weeks, lets go of it perhaps, and perhaps takes the word back. */
export async function markSome({ scheduler, history, chance }: World, process: Process): Promise<void> {
  if (history.log.length === 0) return;
  // What is about to go is what a pin comes too late for.
  const { snapshot_id } = chance.oneOf([...history.log.slice(0, 1), ...history.log]);
  const until = scheduler.now + chance.oneOf([1, 10, 40]) * DAY;
  const about = { account_id: ACCOUNT, snapshot_id, by: process.actor.name, name: 'kept' };
  const named = { ...about, name: `kept-${process.newNonce().slice(0, 8)}` };
  try {
    await pin({ ...named, now: BigInt(scheduler.now), until: BigInt(until) }, process);
    const held = history.pinned(snapshot_id, until);
    if (chance.happens(0.5)) return;
    await process.clock.sleep(chance.below(86_400_000));
    held.released_at = scheduler.now;
    await unpin({ ...named, now: BigInt(scheduler.now) }, process);
    const reason = `said by ${process.actor.name}`;
    await retract({ ...about, reason, replaced_by: null, now: BigInt(scheduler.now) }, process);
  } catch (error) {
    const { code } = foreseen(error, 'snapshot_expired', 'snapshot_retracted');
    const entry = history.log.find((each) => each.snapshot_id === snapshot_id);
    history.refuse(
      code === 'snapshot_expired' && entry !== undefined && !history.mayBeGone(entry),
      `${snapshot_id} was refused a pin, and is there still`,
    );
  }
}

/** An account is left alone because the store does not answer, or the newest was replaced and removed meanwhile. */
function onlyForeseen(history: World['history'], name: string, fault: unknown): void {
  try {
    const { code } = foreseen(fault, 'manifest_invalid', 'file_corrupt');
    if (code === 'store_outcome_unknown' || code === 'store_unavailable') return;
    const excused = history.log.some((entry) => history.mayBeGone(entry));
    history.refuse(!excused, `${name} found ${code}, and everything is promised still`);
  } catch (error) {
    history.bad.push(`${name} gave up: ${String(error)}`);
  }
}
