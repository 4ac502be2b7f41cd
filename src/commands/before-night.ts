/** What is done before a night is queued, by every process that queues it: each step is safe to run many times. */
import type { Settings } from '../config.ts';
import type { Logger } from '../log.ts';

export interface NightStep {
  /** Named in the log when it fails; the night is queued all the same. */
  readonly name: string;
  readonly run: (context: {
    readonly settings: Settings;
    readonly logger: Logger;
    readonly signal: AbortSignal;
  }) => Promise<void>;
}

/** In the order in which they run. */
export const BEFORE_NIGHT: readonly NightStep[] = [];
