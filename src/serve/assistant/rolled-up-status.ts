/** The assistant's four states of an initiative, each for several stages. */
import type { Stage } from '../../tables/initiatives.ts';

export const STATUSES = ['not_started', 'active', 'completed', 'inactive'] as const;

export type Status = (typeof STATUSES)[number];

const STATUS_OF = {
  identified: 'not_started',
  reviewing: 'not_started',
  implementing: 'active',
  live: 'active',
  paused: 'inactive',
  completed: 'completed',
  rejected: 'inactive',
  dismissed: 'inactive',
} as const satisfies Record<Stage, Status>;

/** The state for a stage. */
export function statusOf(stage: Stage): Status {
  return STATUS_OF[stage];
}
