/**
 * A real S3 gateway that is away for 10 s or for a minute in the middle of a build, by resets or in silence. The build
 * waits for it and publishes; before that a reader is shown the snapshot before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK } from '../../../src/run/machine.ts';
import type { Store } from '../../../src/store/store.ts';
import { watchedStore } from '../../snapshot/builder/faulty-tools.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { startCluster } from '../../support/cluster.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { chanceOf } from '../chance.ts';
import { lacksGateway, startGateway, storeThrough } from '../s3/chaos-gateway.ts';
import { type Outage, type OutageProxy, startOutageProxy } from '../s3/outage-proxy.ts';

const MINUTE = 60_000_000n;
const OUTAGES: readonly { readonly outage: Outage; readonly ms: number }[] = [
  { outage: 'resets', ms: 10_000 },
  { outage: 'stalls', ms: 60_000 },
  { outage: 'resets', ms: 60_000 },
  { outage: 'stalls', ms: 10_000 },
];
/** Fewer than a publish makes, so that each outage falls into one. */
const CALLS = 80;

export const s3Outages: Campaign = {
  name: 's3-outages',
  title: 'a real S3 gateway away for 10 s or 60 s during a build, by resets or in silence',
  rows: ['F-20', 'F-21'],
  unit: 'builds',
  times: { short: 2, long: 12 },
  lacks: lacksGateway,
  run: takeAway,
};

async function takeAway({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const chance = chanceOf(seed);
  const bad: string[] = [];
  const figures: Record<string, number> = {};
  await using gateway = await startGateway('outages');
  await using proxy = await startOutageProxy(gateway.port);
  const cluster = await startCluster();
  const harness = await openBuildHarness('template_company', cluster);
  try {
    const store = storeThrough(gateway.env, proxy.port);
    await harness.build({ store, clock: CLOCK });
    let done = 0;
    for (; done < times && !signal.aborted; done += 1) {
      const { outage, ms } = OUTAGES[done % OUTAGES.length] ?? { outage: 'resets', ms: 10_000 };
      const kind = `${outage} for ${ms / 1000} s`;
      const call = 1 + chance.below(CALLS);
      try {
        await holdBuild({ harness, store, proxy, number: done + 1, call, outage, ms });
        figures[kind] = (figures[kind] ?? 0) + 1;
      } catch (error) {
        bad.push(violationText(`${kind} from call ${call} on`, error));
      }
      say(`${done + 1} of ${times}: ${kind}`);
    }
    return { done, bad, figures };
  } finally {
    await harness.close();
    await cluster.stop();
  }
}

interface Attempt {
  readonly harness: BuildHarness;
  readonly store: Store;
  readonly proxy: OutageProxy;
  readonly number: number;
  /** The call of the store that the outage begins with. */
  readonly call: number;
  readonly outage: Outage;
  readonly ms: number;
}

async function holdBuild({ harness, store, proxy, number, call, outage, ms }: Attempt): Promise<void> {
  const before = (await harness.served(1n, store))?.snapshot_id;
  let calls = 0;
  let over: Promise<void> = Promise.resolve();
  const watched = watchedStore(store, () => {
    calls += 1;
    if (calls !== call) return;
    proxy.begin(outage);
    over = sleep(ms).then(() => proxy.end());
  });
  const { outcome, snapshot_id } = await harness.build({
    store: watched,
    clock: CLOCK,
    at: AT + BigInt(number) * MINUTE,
  });
  await over;
  const after = (await harness.served(1n, store))?.snapshot_id;
  if (calls < call) throw new Error(`the build made ${calls} calls only`);
  if (outcome !== 'published' || after !== snapshot_id)
    throw new Error(`it was ${outcome}; ${after} is served after ${before}`);
}
