/**
 * All routes below `/v1`, in the order of the OpenAPI document, which is made from this list. `app.ts` adds the routes
 * outside the contract: health, links, the assistant, pages and documentation.
 */
import type { ApiRoute, GuardParts } from './contract/define-route.ts';
import { type DocumentParts, openapiJson } from './contract/openapi-json.ts';
import { companionCounts } from './live/companion-counts.ts';
import { recordRoutes } from './live/records.ts';
import type { AnswerParts } from './live/chosen-source.ts';
import { roi } from './live/roi.ts';
import { compareQuery } from './reporting/compare-sql.ts';
import { dbtModel } from './reporting/dbt-models.ts';
import { dbtSource } from './reporting/dbt-sources.ts';
import { attach } from './reporting/attach-sql.ts';
import { schemaContract, schemaPackage, snapshotContract, snapshotPackage } from './reporting/descriptors.ts';
import { diff, type DiffParts } from './reporting/diff.ts';
import { lakeDucklake, type LakeParts, lakeSqlite } from './reporting/lake.ts';
import { links, type LinksParts } from './reporting/links.ts';
import { loadStatements } from './reporting/load-sql.ts';
import { latestManifest, manifest } from './reporting/manifest.ts';
import { schemaJson, type SchemaParts } from './reporting/schema-json.ts';
import { latestSha256sums, sha256sums } from './reporting/sha256sums.ts';
import { allowedSignersFile, logEntry, signingKeys } from './reporting/signing-keys.ts';
import { type FileParts, snapshotFile } from './reporting/snapshot-file.ts';
import { snapshots } from './reporting/snapshots.ts';
import { type CsvParts, latestTableCsv, tableCsv } from './reporting/table-csv.ts';
import { latestTableParquet, tableParquet } from './reporting/table-parquet.ts';
import { RESOURCES } from './resources/all.ts';

/** What the handlers of all routes need. */
export interface ApiParts
  extends
    AnswerParts,
    GuardParts,
    CsvParts,
    DiffParts,
    DocumentParts,
    FileParts,
    LakeParts,
    LinksParts,
    SchemaParts {}

/** Each line is one route; the line with `RESOURCES` adds the routes of all resources. */
export const API_ROUTES: readonly ApiRoute<ApiParts>[] = [
  roi,
  ...RESOURCES.flatMap(recordRoutes),
  companionCounts,
  latestManifest,
  latestTableParquet,
  snapshots,
  manifest,
  tableParquet,
  diff,
  links,
  tableCsv,
  latestTableCsv,
  snapshotFile,
  sha256sums,
  latestSha256sums,
  signingKeys,
  allowedSignersFile,
  logEntry,
  compareQuery,
  schemaJson,
  loadStatements,
  dbtSource,
  dbtModel,
  schemaPackage,
  snapshotPackage,
  schemaContract,
  snapshotContract,
  attach,
  lakeDucklake,
  lakeSqlite,
  openapiJson,
];
