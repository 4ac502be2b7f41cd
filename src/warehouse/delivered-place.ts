/** Where a script of a warehouse reads the files of a snapshot: beside itself, or below the prefix of a delivery. */
import { CrossfootError } from '../errors.ts';
import { type Dialect, textIn } from '../tables/dialects.ts';

/** A word that the user replaces, as in the other scripts. */
const SOME_ID = 'SNAPSHOT_ID';
const SNAPSHOT_ID = /^\d{8}T\d{6}Z$/;

/** A delivered prefix, such as `s3://bucket/figures`, or the path of a folder. */
export interface Delivered {
  readonly prefix: string;
  /** The address of an S3-compatible store; undefined: Amazon's own. */
  readonly endpoint?: string | undefined;
  /** The id of a snapshot; undefined: the newest, where the warehouse can read `latest.json`. */
  readonly snapshot?: string | undefined;
}

/** The SQL that finds the files in one dialect. */
export interface DeliveredPlace {
  /** How to run the script. */
  readonly about: string;
  /** Statements before all others. */
  readonly before: string;
  /** The file of a table, as an expression or a path in quotes. */
  readonly file: (table: string) => string;
}

/** The place of a delivered snapshot. Throws for a prefix that the warehouse cannot read. */
export function deliveredPlace(dialect: Dialect, delivered: Delivered): DeliveredPlace {
  const { snapshot } = delivered;
  const endpoint = delivered.endpoint === undefined ? undefined : originOf(delivered.endpoint);
  const prefix = delivered.prefix.replace(/\/+$/, '');
  const scheme = /^(s3|gs):\/\/[^/]+/.exec(prefix)?.[1] ?? 'folder';
  if (!['s3', 'gs'].includes(scheme) && prefix.includes('://'))
    throw unfit('it is not s3://, gs:// or a folder');
  if (snapshot !== undefined && !SNAPSHOT_ID.test(snapshot))
    throw unfit('--snapshot must be the id of a snapshot');
  const id = snapshot ?? SOME_ID;
  const named = snapshot === undefined ? ` Replace ${SOME_ID} by the snapshot_id in latest.json.` : '';
  const text = (path: string): string => textIn(dialect, path);
  const fileOf = (table: string): string => text(`${prefix}/snapshots/${id}/${table}.parquet`);
  switch (dialect) {
    case 'duckdb': {
      const newest = (table: string): string =>
        `getvariable('crossfoot_folder') || ${text(`/${table}.parquet`)}`;
      const found = `set variable crossfoot_folder = (select ${text(`${prefix}/`)} || folder from read_json(${text(`${prefix}/latest.json`)}));\n`;
      return {
        about: `Run it with DuckDB.${scheme === 'folder' ? '' : ` Make a secret for the bucket first: ${duckdbSecret(endpoint)}.`}`,
        before: `${scheme === 'folder' ? '' : 'install httpfs;\nload httpfs;\n'}${snapshot === undefined ? found : ''}`,
        file: snapshot === undefined ? newest : fileOf,
      };
    }
    case 'clickhouse': {
      if (scheme === 'folder') {
        return {
          about: `Run it with clickhouse-client --multiquery.${named}`,
          before: '',
          file: (table) => `file(${fileOf(table)}, Parquet)`,
        };
      }
      const [, bucket = '', path = ''] = /^\w+:\/\/([^/]+)\/?(.*)$/.exec(prefix) ?? [];
      const host =
        scheme === 'gs' ? 'https://storage.googleapis.com' : (endpoint ?? 'https://s3.amazonaws.com');
      const folder = [host, bucket, path, 'snapshots', id].filter((part) => part !== '').join('/');
      return {
        about: `The server reads the bucket with its own credentials; else write 'KEY', 'SECRET', before each 'Parquet'.${named}`,
        before: '',
        file: (table) => `s3(${text(`${folder}/${table}.parquet`)}, 'Parquet')`,
      };
    }
    case 'snowflake':
      requireBucket(scheme, endpoint);
      return {
        about: `Replace INTEGRATION by the storage integration that may read the bucket.${named}`,
        before: `create stage if not exists crossfoot_delivered url = ${text(`${prefix.replace(/^gs:/, 'gcs:')}/`)} storage_integration = INTEGRATION file_format = (type = parquet use_logical_type = true);\n`,
        file: (table) => `@crossfoot_delivered/snapshots/${id}/${table}.parquet`,
      };
    case 'bigquery':
      requireBucket(scheme, endpoint);
      return {
        about: `Run all statements as one query; the tables are made in the default dataset.${scheme === 's3' ? ' Replace CONNECTION by a BigQuery connection that may read the bucket.' : ''}${named}`,
        before: '',
        file: fileOf,
      };
    case 'redshift':
      if (scheme !== 's3' || endpoint !== undefined) throw unfit('Redshift reads buckets of Amazon S3 only');
      return {
        about: `The default role of the cluster must read the bucket.${named}`,
        before: '',
        file: fileOf,
      };
    case 'postgres':
      throw unfit('PostgreSQL reads no Parquet: pull --into postgres loads it');
  }
}

/** The statement that gives DuckDB the key of the bucket: that of the machine or, at another address than Amazon's, one of its own. */
function duckdbSecret(endpoint: string | undefined): string {
  if (endpoint === undefined) return 'create secret (type s3, provider credential_chain)';
  const { host, protocol } = new URL(endpoint);
  const plain = protocol === 'http:' ? ', use_ssl false' : '';
  return `create secret (type s3, key_id 'KEY', secret 'SECRET', endpoint ${textIn('duckdb', host)}, url_style 'path'${plain})`;
}

function requireBucket(scheme: string, endpoint: string | undefined): void {
  if (scheme === 'folder') throw unfit('this warehouse reads buckets only');
  if (endpoint !== undefined) throw unfit('this warehouse reads no bucket at an --endpoint');
}

/** The address of a store without a slash at its end. */
function originOf(endpoint: string): string {
  const url = URL.parse(endpoint);
  const isPlain = url !== null && url.pathname + url.search + url.hash + url.username === '/';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw unfit('--endpoint must be an https:// URL without a path and without a login');
  }
  return url.origin;
}

function unfit(why: string): CrossfootError {
  return new CrossfootError('usage_invalid', `--from cannot be used: ${why}.`);
}
