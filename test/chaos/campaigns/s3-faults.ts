/** A bucket whose every fifth request goes wrong, and what is published into it. */
import { isCrossfootError } from '../../../src/errors.ts';
import type { AuditedBuild } from '../../../src/snapshot/builder/publish.ts';
import { testStore } from '../../../src/store/self-test.ts';
import { AT_ONCE, openScripted } from '../../store/bucket-harness.ts';
import type { Quirk } from '../../support/s3-objects.ts';
import { startScriptedS3 } from '../../support/scripted-s3.ts';
import { auditOnce } from '../audited-files.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { publishRound } from '../s3/s3-round.ts';

/** The bucket keeps whatever it was asked in memory, so it is a new one each time. */
const ROUND = 250;
const QUIRKS: readonly Quirk[] = [
  'checks the condition, then writes',
  'ignores conditions',
  'ignores digests',
  'ignores ranges',
  'keeps what is deleted',
  'lists nothing',
];
/** Of a hundred publishes, at least so many must come through within eight tries. */
const MUST_COME_THROUGH = 99;
/**
 * So many are needed to say that a share is missed: where 99.4 of a hundred come through, two of one hundred fail in every
 * tenth run by chance alone, and eleven of a thousand in every fiftieth. A run that is below goes on until it has as many.
 */
const ENOUGH_TO_REFUSE = 3_000;

export const s3FaultsCampaign: Campaign = {
  name: 's3-faults',
  title:
    'the files of one real build, written and audited once, published under new ids by the real code through the real S3 client into a bucket that spoils a fifth of its answers; no ledger is read and no audit repeated',
  rows: ['F-20', 'F-21', 'F-22', 'F-23', 'F-24', 'F-25', 'F-26', 'F-27', 'F-28'],
  unit: 'publishes',
  times: { short: 100, long: 10_000 },
  run: async (request) => await publishAll(await auditOnce(), request),
};

async function publishAll(
  files: Pick<AuditedBuild, 'tables' | 'files'>,
  { seed, times, say, signal }: CampaignRequest,
): Promise<CampaignResult> {
  const chance = chanceOf(seed);
  const bad: string[] = [];
  const figures: Record<string, number> = { published: 0, superseded: 0, given_up: 0, tries: 0 };
  let done = 0;
  const through = (): number => (done === 0 ? 100 : ((done - (figures['given_up'] ?? 0)) * 100) / done);
  let wanted = times;
  for (let round = 0; done < wanted && !signal.aborted; round += 1) {
    const publishes = Math.min(ROUND, wanted - done);
    const { met, bad: found, ...counted } = await publishRound(files, publishes, chance);
    bad.push(...found);
    for (const [name, count] of Object.entries({ ...counted, ...met })) {
      figures[name] = (figures[name] ?? 0) + count;
    }
    bad.push(...(await refuseQuirk(QUIRKS[round % QUIRKS.length] ?? 'ignores conditions', chance)));
    done += publishes;
    // All of them, not only until it looks well again.
    if (done >= times && through() < MUST_COME_THROUGH) wanted = Math.max(times, ENOUGH_TO_REFUSE);
    if (round % 10 === 9) say(`${done} of ${times}, ${bad.length} bad`);
  }
  if (through() < MUST_COME_THROUGH)
    bad.push(`only ${through().toFixed(1)} % came through within eight tries`);
  return { done, bad, figures: { ...figures, percent_through: through() } };
}

/** A bucket that does not keep a promise is refused before anything is written to it. */
async function refuseQuirk(quirk: Quirk, chance: Chance): Promise<readonly string[]> {
  await using s3 = await startScriptedS3();
  s3.bucket.quirks.add(quirk);
  const newUuid = (): string => chance.hex(32);
  try {
    await testStore(openScripted(s3), { clock: AT_ONCE, randomUuid: newUuid });
    return [`a bucket that ${quirk} passes the self-test`];
  } catch (error) {
    return isCrossfootError(error, 'store_self_test_failed') ? [] : [`${quirk}: ${String(error)}`];
  }
}
