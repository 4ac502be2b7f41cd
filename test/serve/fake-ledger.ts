/** Stands in for the ledger where a test asks about the HTTP side alone. */
import type { FigureParts } from '../../src/serve/live/figure-moment.ts';

/** Refuses every question: a test that gets this far has asked the wrong application. */
export const noLedger: FigureParts['inAccount'] = () =>
  Promise.reject(new Error('this application has no ledger'));
