import type { RouteConfig } from '@hono/zod-openapi';
import { RESOURCES } from '../resources/all.ts';
import { contractRoute } from './contract.ts';
import { diffRoute } from './diff.ts';
import { linksRoute } from './links.ts';
import {
  compareRoute,
  dbtRoute,
  latestSha256SumsRoute,
  latestTableCsvRoute,
  loadRoute,
  sha256SumsRoute,
  snapshotFileRoute,
  tableCsvRoute,
} from './proof.ts';
import { listRoute, recordRoute } from './records.ts';
import {
  latestRoute,
  latestTableRoute,
  schemaRoute,
  snapshotRoute,
  snapshotsRoute,
  tableRoute,
} from './reporting.ts';
import { roiRoute } from './roi.ts';

/** Every route of the API, in the order of the contract. */
export const API_ROUTES: readonly RouteConfig[] = [
  roiRoute,
  ...RESOURCES.flatMap((resource) => [
    listRoute(resource),
    ...(resource.find === null ? [] : [recordRoute(resource)]),
  ]),
  latestRoute,
  latestTableRoute,
  snapshotsRoute,
  snapshotRoute,
  tableRoute,
  diffRoute,
  linksRoute,
  tableCsvRoute,
  latestTableCsvRoute,
  snapshotFileRoute,
  sha256SumsRoute,
  latestSha256SumsRoute,
  compareRoute,
  schemaRoute,
  loadRoute,
  dbtRoute,
  contractRoute,
];
