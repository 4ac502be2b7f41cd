/** Stands in for the ledger where a test asks about the HTTP side alone. */
import type { ReadApiParts } from '../../src/serve/live/read-api.ts';

/** Refuses every question: a test that gets this far has asked the wrong application. */
export const noLedger: ReadApiParts['inAccount'] = () =>
  Promise.reject(new Error('this application has no ledger'));
