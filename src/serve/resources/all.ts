import type { Resource } from '../resource.ts';
import { cost_entries } from './cost_entries.ts';

/** The resources that are served as lists. */
export const RESOURCES: readonly Resource[] = [cost_entries];
