/** Descriptions of the tables for other tools: a data package and a data contract, of the schema or of one snapshot. */
import { z } from '@hono/zod-openapi';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { formatInstant } from '../../time.ts';
import { dataContract } from '../../warehouse/data-contract.ts';
import { dataPackage, type DescribedSnapshot } from '../../warehouse/data-package.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { CACHE_PUBLIC, sendStatic, staticResponse } from '../http/static-response.ts';
import {
  ABSENT,
  NO_SNAPSHOT,
  requireSnapshot,
  addressHeaders,
  type ReportingParts,
  snapshot_id,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';

/** A later program may describe the same snapshot better, so caches must revalidate. */
const REVALIDATED = 'private, no-cache';
const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

const packageContent = {
  [JSON_TYPE]: {
    schema: z.looseObject({}).meta({ description: 'A package in the form of datapackage.org.' }),
  },
};
const contractContent = { [YAML_TYPE]: { schema: z.string() } };

const ofSnapshot = {
  request: { params: z.object({ snapshot_id }) },
  tags: ['Reporting'],
};
const headers = z.object(snapshotHeaderShapes);
const absent = notFound(ABSENT.snapshot, NO_SNAPSHOT);

/** The data package of the schema; it has no figure, so it needs no token. */
export const schemaPackage = defineRoute(
  {
    path: '/reporting/datapackage.json',
    operationId: 'get_data_package',
    summary: 'The tables as a Frictionless data package, without files.',
    tags: ['Reporting'],
    security: [],
    responses: { 200: { description: 'The package.', content: packageContent } },
  },
  () => {
    const made = staticResponse(JSON.stringify(dataPackage(), null, 2), JSON_TYPE);
    return (c) => sendStatic(c, made, CACHE_PUBLIC);
  },
);

/** The data contract of the schema. */
export const schemaContract = defineRoute(
  {
    path: '/reporting/datacontract.yaml',
    operationId: 'get_data_contract',
    summary: 'The tables as a data contract in the Open Data Contract Standard 3.1.',
    tags: ['Reporting'],
    security: [],
    responses: { 200: { description: 'The contract.', content: contractContent } },
  },
  () => {
    const made = staticResponse(dataContract(), YAML_TYPE);
    return (c) => sendStatic(c, made, CACHE_PUBLIC);
  },
);

/** The data package of a snapshot. */
export const snapshotPackage = defineRoute(
  {
    ...ofSnapshot,
    path: '/reporting/snapshots/{snapshot_id}/datapackage.json',
    operationId: 'get_snapshot_data_package',
    summary: 'The snapshot as a Frictionless data package, with the size and digest of each file.',
    responses: {
      200: {
        description: 'The package. Its relative paths need the address by id, which Content-Location has.',
        headers,
        content: packageContent,
      },
      404: absent,
    },
  },
  (parts: ReportingParts) => async (c) => {
    const snapshot = await requireSnapshot(parts, c, c.req.valid('param').snapshot_id);
    const text = JSON.stringify(dataPackage(described(snapshot)), null, 2);
    return sendStatic(
      c,
      staticResponse(text, JSON_TYPE),
      await addressHeaders(parts, c, snapshot, REVALIDATED),
    );
  },
);

/** The data contract of a snapshot. */
export const snapshotContract = defineRoute(
  {
    ...ofSnapshot,
    path: '/reporting/snapshots/{snapshot_id}/datacontract.yaml',
    operationId: 'get_snapshot_data_contract',
    summary: 'The data contract of a snapshot, with its files as a server: test it in the folder of `pull`.',
    responses: { 200: { description: 'The contract.', headers, content: contractContent }, 404: absent },
  },
  (parts: ReportingParts) => async (c) => {
    const snapshot = await requireSnapshot(parts, c, c.req.valid('param').snapshot_id);
    const text = dataContract(described(snapshot));
    return sendStatic(
      c,
      staticResponse(text, YAML_TYPE),
      await addressHeaders(parts, c, snapshot, REVALIDATED),
    );
  },
);

function described({ snapshot_id: id, generated_at, tables }: ReadableSnapshot): DescribedSnapshot {
  return { snapshot_id: id, generated_at: formatInstant(generated_at), tables };
}
