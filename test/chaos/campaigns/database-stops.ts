/**
 * PostgreSQL stopped at once, as `pg_ctl stop -m immediate` does, in each step of a whole build, and started again. The
 * build says that its database is gone and publishes nothing; after its last question a build is published whole.
 * What was served stays, no spool is left, and the next build publishes.
 */
import { readdir } from 'node:fs/promises';
import { isCrossfootError } from '../../../src/errors.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { type CutHarness, openCutHarness } from '../cut-harness.ts';
import { spread } from '../spread.ts';
import { STOP_STEPS, type StopStep } from '../builds/stop-steps.ts';
import { stoppedTools } from '../builds/stopped-tools.ts';

export const databaseStops: Campaign = {
  name: 'database-stops',
  title: 'PostgreSQL stopped at once in each step of a whole build, and started again',
  rows: ['F-6'],
  unit: 'builds',
  times: { short: 4, long: 4 * STOP_STEPS.length },
  run: stopAll,
};

async function stopAll({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const chance = chanceOf(seed);
  const steps = spread(STOP_STEPS, times, chance);
  const bad: string[] = [];
  const figures: Record<string, number> = { steps: steps.length };
  await using cuts = await openCutHarness();
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const step = steps[done % steps.length];
    if (step === undefined) break;
    try {
      const end = await holdStop(cuts, step, { chance, number: 1 + 2 * done });
      figures[end] = (figures[end] ?? 0) + 1;
    } catch (error) {
      bad.push(violationText(step.name, error));
    }
    if (done % 10 === 9) say(`${done + 1} of ${times}`);
  }
  return { done, bad, figures };
}

interface Draw {
  readonly chance: Chance;
  /** Of the build that meets it; the next number is for the one after it. */
  readonly number: number;
}

/** Throws unless what must be true is; says how the build ended. */
async function holdStop(cuts: CutHarness, step: StopStep, { chance, number }: Draw): Promise<string> {
  const before = (await cuts.harness.served())?.snapshot_id;
  const { tools, stopped } = stoppedTools(cuts, step.stop(chance));
  const end = await cuts.build(number, null, tools).then(
    (built) => ({ built }),
    (error: unknown) => ({ error }),
  );
  await stopped().catch((error: unknown) => {
    throw new Error(`never stopped: ${'error' in end ? String(end.error) : end.built.outcome}`, {
      cause: error,
    });
  });
  await cuts.cluster.restart();
  const after = (await cuts.harness.served())?.snapshot_id;
  const mayPublish = step.name === 'publishing';
  if ('built' in end) {
    if (!mayPublish) throw new Error(`it was ${end.built.outcome} without its database`);
    if (after !== end.built.snapshot_id) throw new Error(`${after} is served, and another was published`);
  } else if (after !== before) {
    throw new Error(`${after} is served after ${before}, and the build failed`);
  }
  const left = await readdir(cuts.harness.spool);
  if (left.length > 0) throw new Error(`${left.length} spools were left`);
  const next = await cuts.build(number + 1);
  if (next.outcome !== 'published') throw new Error(`the next build was ${next.outcome}`);
  return 'built' in end ? end.built.outcome : codeOf(end.error);
}

/** The code of an error that says what is the matter: the database, and nothing else. */
function codeOf(error: unknown): string {
  for (const code of ['copy_failed', 'database_unreachable'] as const) {
    if (isCrossfootError(error, code)) return code;
  }
  throw new Error('the build does not say that its database is gone', { cause: error });
}
