/** Every campaign of `npm run chaos`, sorted by name. */
import { auditCampaign } from './campaigns/audit.ts';
import type { Campaign } from './campaign.ts';
import { clocks } from './campaigns/clocks.ts';
import { databaseCuts } from './campaigns/database-cuts.ts';
import { databaseStops } from './campaigns/database-stops.ts';
import { drifts } from './campaigns/drifts.ts';
import { flipsCampaign } from './campaigns/flips.ts';
import { fullDisk } from './campaigns/full-disk.ts';
import { fuzz } from './campaigns/fuzz.ts';
import { initdbKills } from './campaigns/initdb-kills.ts';
import { killPoints } from './campaigns/kill-points.ts';
import { killPointsS3 } from './campaigns/kill-points-s3.ts';
import { momentsCampaign } from './campaigns/moments.ts';
import { poisonedCampaign } from './campaigns/poisoned.ts';
import { powerCuts } from './campaigns/power-cuts.ts';
import { processes } from './campaigns/processes.ts';
import { rangeKills, rangeKillsS3 } from './campaigns/range-kills.ts';
import { s3FaultsCampaign } from './campaigns/s3-faults.ts';
import { s3Outages } from './campaigns/s3-outages.ts';
import { schedulesCampaign } from './campaigns/schedules.ts';
import { standby } from './campaigns/standby.ts';
import { storm } from './campaigns/storm.ts';
import { tenancy } from './campaigns/tenancy.ts';

export const CAMPAIGNS: readonly Campaign[] = [
  auditCampaign,
  clocks,
  databaseCuts,
  databaseStops,
  drifts,
  flipsCampaign,
  fullDisk,
  fuzz,
  initdbKills,
  killPoints,
  killPointsS3,
  momentsCampaign,
  poisonedCampaign,
  powerCuts,
  processes,
  rangeKills,
  rangeKillsS3,
  s3FaultsCampaign,
  s3Outages,
  schedulesCampaign,
  standby,
  storm,
  tenancy,
];
