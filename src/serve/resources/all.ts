import type { Resource } from '../live/resource.ts';
import { ai_usage } from './ai_usage.ts';
import { budgets } from './budgets.ts';
import { cost_entries } from './cost_entries.ts';
import { decisions } from './decisions.ts';
import { initiatives } from './initiatives.ts';
import { integrations } from './integrations.ts';
import { metrics } from './metrics.ts';
import { observations } from './observations.ts';
import { value_entries } from './value_entries.ts';

/** The resources served as lists, in the order of the contract. */
export const RESOURCES: readonly Resource[] = [
  initiatives,
  cost_entries,
  value_entries,
  metrics,
  observations,
  budgets,
  decisions,
  integrations,
  ai_usage,
];
