/** Every campaign of `npm run chaos`, sorted by name. */
import type { Campaign } from './campaign.ts';
import { schedulesCampaign } from './schedules-campaign.ts';

export const CAMPAIGNS: readonly Campaign[] = [schedulesCampaign];
