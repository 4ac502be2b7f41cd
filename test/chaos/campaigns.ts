/** Every campaign of `npm run chaos`, sorted by name. */
import { auditCampaign } from './audit-campaign.ts';
import type { Campaign } from './campaign.ts';
import { clocks } from './clocks-campaign.ts';
import { databaseCuts } from './database-cuts-campaign.ts';
import { databaseStops } from './database-stops-campaign.ts';
import { drifts } from './drifts-campaign.ts';
import { flipsCampaign } from './flips-campaign.ts';
import { fullDisk } from './full-disk-campaign.ts';
import { fuzz } from './fuzz-campaign.ts';
import { killPoints } from './kill-points-campaign.ts';
import { killPointsS3 } from './kill-points-s3-campaign.ts';
import { momentsCampaign } from './moments-campaign.ts';
import { poisonedCampaign } from './poisoned-campaign.ts';
import { powerCuts } from './power-cuts-campaign.ts';
import { processes } from './processes-campaign.ts';
import { s3FaultsCampaign } from './s3-faults-campaign.ts';
import { s3Outages } from './s3-outages-campaign.ts';
import { schedulesCampaign } from './schedules-campaign.ts';
import { standby } from './standby-campaign.ts';
import { storm } from './storm-campaign.ts';
import { tenancy } from './tenancy-campaign.ts';

export const CAMPAIGNS: readonly Campaign[] = [
  auditCampaign,
  clocks,
  databaseCuts,
  databaseStops,
  drifts,
  flipsCampaign,
  fullDisk,
  fuzz,
  killPoints,
  killPointsS3,
  momentsCampaign,
  poisonedCampaign,
  powerCuts,
  processes,
  s3FaultsCampaign,
  s3Outages,
  schedulesCampaign,
  standby,
  storm,
  tenancy,
];
