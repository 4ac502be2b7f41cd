/** The fuzz of every route: `npm run campaign -- fuzz`, or beside the other faults. */
import { runFuzz } from '../../fuzz/run-fuzz.ts';
import type { Campaign } from '../campaign.ts';

export const fuzz: Campaign = {
  name: 'fuzz',
  title: 'raw and odd requests, made from the contract, to every route of the real server and to /mcp',
  rows: ['A-6', 'A-15', 'A-17', 'A-20', 'A-22', 'A-23', 'A-24', 'A-25', 'A-26', 'A-33', 'A-42'],
  unit: 'requests',
  times: { short: 2_000, long: 1_000_000 },
  run: runFuzz,
};
