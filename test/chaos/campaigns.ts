/** Every campaign of `npm run chaos`, sorted by name. */
import type { Campaign } from './campaign.ts';
import { fuzz } from './fuzz-campaign.ts';
import { tenancy } from './tenancy-campaign.ts';

export const CAMPAIGNS: readonly Campaign[] = [fuzz, tenancy];
