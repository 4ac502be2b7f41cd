/** Running campaigns one after the other, and saying of each on one line what came of it. */
import type { Campaign, CampaignResult } from './campaign.ts';

export interface Asked {
  readonly seed: number;
  /** Instead of the campaign's own number of units. */
  readonly times: number | null;
  readonly short: boolean;
  readonly json: boolean;
}

export interface Ears {
  /** What came of a campaign: one line each, and nothing else. */
  readonly result: (line: string) => void;
  /** What is going on meanwhile. */
  readonly progress: (line: string) => void;
  /** Milliseconds, to say how long it took. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

/** What came of one campaign, as `--json` prints it. */
interface Outcome {
  readonly campaign: string;
  readonly title: string;
  readonly rows: readonly string[];
  readonly seed: number;
  readonly asked: number;
  readonly unit: string;
  readonly done: number;
  readonly seconds: number;
  readonly figures: CampaignResult['figures'];
  readonly bad: readonly string[];
  /** Why it was not run; null when it was. */
  readonly lacks: string | null;
}

/** How many of each there are. */
export interface Tally {
  readonly run: number;
  readonly not_run: number;
  readonly bad: number;
}

/** Runs every campaign. A campaign that throws counts as bad, and the next one still runs. */
export async function runCampaigns(campaigns: readonly Campaign[], asked: Asked, ears: Ears): Promise<Tally> {
  const tally = { run: 0, not_run: 0, bad: 0 };
  for (const campaign of campaigns) {
    if (ears.signal.aborted) break;
    const outcome = await runOne(campaign, asked, ears);
    ears.result(asked.json ? JSON.stringify(outcome) : sentenceOf(outcome));
    tally[outcome.lacks === null ? 'run' : 'not_run'] += 1;
    if (outcome.bad.length > 0) tally.bad += 1;
  }
  return tally;
}

async function runOne(campaign: Campaign, { seed, times, short }: Asked, ears: Ears): Promise<Outcome> {
  const { name, title, rows, unit } = campaign;
  const wanted = times ?? campaign.times[short ? 'short' : 'long'];
  const about = { campaign: name, title, rows, seed, asked: wanted, unit };
  const lacks = (await campaign.lacks?.()) ?? null;
  if (lacks !== null) return { ...about, done: 0, seconds: 0, figures: {}, bad: [], lacks };
  const began = ears.clock();
  const result = await campaign
    .run({
      seed,
      times: wanted,
      say: (line) => ears.progress(`${name}: ${line}`),
      signal: ears.signal,
    })
    .catch((error: unknown): CampaignResult => {
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { done: 0, figures: {}, bad: [`the campaign itself broke: ${why}`] };
    });
  const seconds = Math.round(ears.clock() - began) / 1000;
  return { ...about, ...result, bad: [...result.bad, ...nothingDone(result, wanted)], seconds, lacks };
}

// A campaign that did nothing proves nothing, however well that went.
function nothingDone({ done, bad }: CampaignResult, wanted: number): readonly string[] {
  return done === 0 && wanted > 0 && bad.length === 0 ? ['nothing was done'] : [];
}

function sentenceOf({ campaign, done, unit, seed, seconds, figures, bad, lacks }: Outcome): string {
  if (lacks !== null) return `${campaign}: not run: ${lacks}`;
  const counted = Object.entries(figures).map(([name, figure]) => `${name} ${figure.toLocaleString('en')}`);
  const line = `${campaign}: ${done.toLocaleString('en')} ${unit}, seed ${seed}, ${seconds} s, ${bad.length} bad`;
  const beside = counted.length === 0 ? '' : ` (${counted.join(', ')})`;
  return [line + beside, ...bad.map((sentence) => `  ${sentence}`)].join('\n');
}
