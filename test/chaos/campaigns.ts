/** Every campaign of `npm run chaos`, sorted by name. */
import type { Campaign } from './campaign.ts';
import { flipsCampaign } from './flips-campaign.ts';
import { momentsCampaign } from './moments-campaign.ts';
import { poisonedCampaign } from './poisoned-campaign.ts';
import { s3FaultsCampaign } from './s3-faults-campaign.ts';
import { schedulesCampaign } from './schedules-campaign.ts';

export const CAMPAIGNS: readonly Campaign[] = [
  flipsCampaign,
  momentsCampaign,
  poisonedCampaign,
  s3FaultsCampaign,
  schedulesCampaign,
];
