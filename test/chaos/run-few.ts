/** A campaign's first few units of seed 1, as the gate runs them. */
import type { Campaign, CampaignResult } from './campaign.ts';

/** Runs so many, without a word. */
export function runFew(campaign: Campaign, times: number): Promise<CampaignResult> {
  const { signal } = new AbortController();
  return campaign.run({ seed: 1, times, say: () => undefined, signal });
}
