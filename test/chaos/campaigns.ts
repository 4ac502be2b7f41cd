/** Every campaign of `npm run chaos`, sorted by name. */
import type { Campaign } from './campaign.ts';

export const CAMPAIGNS: readonly Campaign[] = [];
