import { explain_change } from './explain_change.ts';
import { get_ai_spend } from './get_ai_spend.ts';
import { get_help_article } from './get_help_article.ts';
import { get_initiative } from './get_initiative.ts';
import { get_platform_setup_guide } from './get_platform_setup_guide.ts';
import { get_roi_summary } from './get_roi_summary.ts';
import { list_initiatives } from './list_initiatives.ts';
import { list_integrations } from './list_integrations.ts';
import { list_snapshots } from './list_snapshots.ts';
import { search } from './search.ts';
import type { Tool } from './tool.ts';

/** The tools of the assistant, in the order in which a client lists them. */
export const TOOLS: readonly Tool[] = [
  get_roi_summary,
  list_initiatives,
  get_initiative,
  search,
  list_integrations,
  get_help_article,
  get_platform_setup_guide,
  list_snapshots,
  explain_change,
  get_ai_spend,
];
