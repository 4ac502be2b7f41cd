/** What one account can learn of another, asked very often. */
import { runTenancy } from '../../attacks/run-tenancy.ts';
import type { Campaign } from '../campaign.ts';

export const tenancy: Campaign = {
  name: 'tenancy',
  title:
    'what is foreign against what is missing, by every route and tool that takes an id, each guard alone',
  rows: ['A-1', 'A-3', 'A-5', 'A-8'],
  unit: 'comparisons',
  times: { short: 1_000, long: 10_000 },
  run: runTenancy,
};
