/** The fixture company in a template database, loaded as the product loads it. */
import { loadDemoLedger } from '../../src/run/demo/demo-ledger.ts';

export const loadCompany = loadDemoLedger;
