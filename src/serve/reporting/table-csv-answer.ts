/** Answering one table of a snapshot as CSV. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import type { StoredTable } from '../../snapshot/format/manifest.ts';
import type { CsvOptions } from '../../snapshot/read/table-csv.ts';
import { CACHE_LATEST } from './table-file.ts';
import { answerUnsent } from '../http/unsent-answer.ts';

interface CsvAnswer {
  readonly table: Pick<StoredTable, 'name' | 'sha256'>;
  readonly headers: Readonly<Record<string, string>>;
  readonly open: (options: CsvOptions) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** Its length is known to nobody before the end, so it comes without one; HEAD opens nothing. */
export async function answerTableCsv(c: Context, { table, headers, open }: CsvAnswer): Promise<Response> {
  const forSpreadsheets = readSpreadsheet(c.req.query('spreadsheet'));
  const stored = {
    ...headers,
    // The file is what it is made of; how it is written may improve, so it is asked about each time.
    'cache-control': CACHE_LATEST,
    etag: `"${table.sha256}-${forSpreadsheets ? 'spreadsheet' : 'csv'}"`,
  };
  const unsent = answerUnsent(c, stored);
  if (unsent !== null) return unsent;
  const told = {
    ...stored,
    'content-disposition': `attachment; filename="${table.name}.csv"`,
    'content-type': 'text/csv; charset=utf-8; header=present',
  };
  return new Response(c.req.method === 'HEAD' ? null : await open({ forSpreadsheets }), { headers: told });
}

function readSpreadsheet(given: string | undefined): boolean {
  if (given === undefined || given === 'false') return false;
  if (given === 'true') return true;
  throw new CrossfootError('parameter_refused', 'The parameter spreadsheet must be true or false.');
}
