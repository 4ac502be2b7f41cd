/** Fields that several records have. */
import { field } from '../record.ts';

export const created_at = field('timestamp', 'First written.');

/** The rate at which an amount was converted to dollars. */
export const RATE = {
  usd_rate: field(
    'number?',
    'US dollars per unit of `currency`; null for a dollar entry, or without a rate.',
    { from: 'usd_rate::float8' },
  ),
  usd_rate_from: field('date?', 'The first rate day averaged; null without a rate.'),
  usd_rate_through: field('date?', 'The last rate day averaged; null without a rate.'),
} as const;
