/**
 * Every request that publishing a build makes of a bucket, and what may happen there: the process killed with kill -9
 * before the request is applied or after, a refusal, an overload, a reply that is lost. Afterwards a reader is shown the
 * build before or the whole new one, and the next build is published.
 */
import { randomUUID } from 'node:crypto';
import { isCrossfootError } from '../../../src/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { openScripted } from '../../store/bucket-harness.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../../support/scripted-s3.ts';
import type { Fault } from '../../support/s3-faults.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { chanceOf } from '../chance.ts';
import { type BuildEnd, holdAfter } from '../builds/hold-after.ts';
import { endOf, startPublisher } from '../builds/killed-publisher.ts';
import { scratchFolder } from '../disks/scratch-folder.ts';
import { spread } from '../spread.ts';
import { type StagedFiles, publishNumber, putAside, stageBuild } from '../builds/staged-build.ts';

const KILLS: Readonly<Record<string, Fault>> = {
  'kill -9 before it is applied': { reset: 'before' },
  'kill -9 after it was applied': { reset: 'after' },
};
const FAILURES: Readonly<Record<string, Fault>> = {
  'a refusal': { answer: 403, code: 'AccessDenied' },
  'an answer of 503': { answer: 503, code: 'ServiceUnavailable' },
  'a lost reply': { reset: 'after' },
};
const NAMES = [...Object.keys(KILLS), ...Object.keys(FAILURES)];
/** A fresh prefix after so many points: reading a longer log would only take time. */
const POINTS_A_STORE = 20;

interface Point {
  readonly name: string;
  /** The request that it meets, counted from 1. */
  readonly request: number;
}

export const killPointsS3: Campaign = {
  name: 'kill-points-s3',
  title: 'kill -9 and failures at every request of publishing into a bucket',
  rows: ['F-1', 'F-20', 'F-21'],
  unit: 'points',
  times: { short: 20, long: 525 },
  run: meetPoints,
};

async function meetPoints({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const files = await stageBuild();
  await using scratch = await scratchFolder();
  await using s3 = await startScriptedS3();
  const staged = await putAside(files, scratch.path);
  const requests = await countRequests(s3, files);
  const all = NAMES.flatMap((name) =>
    Array.from({ length: requests }, (_, at) => ({ name, request: at + 1 })),
  );
  const points = spread(all, times, chanceOf(seed));
  const tally = { published: 0, failed: 0, killed: 0 };
  const bad: string[] = [];
  let done = 0;
  let current = await aStore(s3, files);
  for (const point of points) {
    if (signal.aborted) break;
    if (current.number > 2 * POINTS_A_STORE) {
      current = await aStore(s3, files);
      say(`${done} of ${points.length}`);
    }
    const { number } = current;
    try {
      const end = await meet(point, { ...current, s3, files, staged });
      tally[end] += 1;
      s3.script(() => null);
      await holdAfter(end, { store: current.store, files, number });
      // A point has two builds: the killed build, and the next build.
      current.number += 2;
    } catch (error) {
      bad.push(violationText(`${point.name}, request ${point.request}`, error));
      current = await aStore(s3, files);
    }
    done += 1;
  }
  return { done, bad, figures: { requests, 'distinct points': all.length, ...tally } };
}

interface NumberedStore {
  /** The next build; those before it are there. */
  number: number;
  readonly location: URL;
  readonly store: Store;
}

async function aStore(s3: ScriptedS3, files: StagedFiles): Promise<NumberedStore> {
  s3.script(() => null);
  s3.bucket.objects.clear();
  const location = new URL(`s3://${BUCKET}/${randomUUID()}`);
  const store = openScripted(s3, { location });
  await publishNumber(store, files, 0);
  return { location, store, number: 1 };
}

async function countRequests(s3: ScriptedS3, files: StagedFiles): Promise<number> {
  const { store } = await aStore(s3, files);
  let requests = 0;
  s3.script(() => {
    requests += 1;
    return null;
  });
  await publishNumber(store, files, 1);
  return requests;
}

interface Meeting extends NumberedStore {
  readonly s3: ScriptedS3;
  readonly files: StagedFiles;
  readonly staged: string;
}

async function meet({ name, request }: Point, meeting: Meeting): Promise<BuildEnd> {
  const { s3, store, location, files, staged, number } = meeting;
  let asked = 0;
  const kill = KILLS[name];
  if (kill !== undefined) {
    const target = { endpoint: s3.endpoint, location: location.href };
    const publisher = startPublisher({ target, staged, number });
    s3.script(() => {
      asked += 1;
      if (asked !== request) return null;
      publisher.kill('SIGKILL');
      return kill;
    });
    return await endOf(publisher);
  }
  s3.script(() => {
    asked += 1;
    return asked === request ? (FAILURES[name] ?? null) : null;
  });
  try {
    const { outcome } = await publishNumber(store, files, number);
    if (outcome === 'published') return outcome;
    throw new Error(`it was ${outcome}`);
  } catch (error) {
    const known = isCrossfootError(error) && error.code.startsWith('store_');
    if (!known) throw error;
    return 'failed';
  }
}
