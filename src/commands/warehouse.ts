/** `crossfoot warehouse`: generates SQL that loads a snapshot into a warehouse and compares it, and dbt sources. */
import { Argument, type Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { CrossfootError } from '../errors.ts';
import { DIALECTS, type Dialect } from '../tables/dialects.ts';
import { parseId } from './terminal/arguments.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot warehouse duckdb > load.sql
  npx --no crossfoot warehouse postgres --schema reporting > load.sql
  npx --no crossfoot warehouse postgres --schema reporting --compare latest --account 1 > compare.sql
  npx --no crossfoot warehouse duckdb --from s3://their-bucket/figures > load.sql
  npx --no crossfoot warehouse dbt > sources.yml

Load one snapshot at a time, from the folder with its files. The comparing query returns no row when the tables equal the
snapshot, else one row for each table that differs.`;

interface WarehouseOptions {
  readonly schema?: string;
  readonly compare?: string;
  readonly account?: bigint;
  readonly from?: string;
  readonly endpoint?: string;
  readonly snapshot?: string;
}

/** Adds the command to the program. */
export function addWarehouseCommand(program: Command, context: CommandContext): void {
  program
    .command('warehouse')
    .description(
      'print the SQL that creates and loads the tables in a warehouse, or compares them; or dbt sources',
    )
    .addArgument(new Argument('<for>', 'the warehouse or tool').choices([...DIALECTS, 'dbt']))
    .option('--schema <name>', 'the schema of the tables; the default schema of the session if omitted')
    .option(
      '--compare <snapshot>',
      'print the query that compares the tables with this snapshot: its id, a pin, or latest',
    )
    .option(
      '--from <address>',
      'read what was delivered there: s3://bucket/prefix, gs://bucket/prefix, or a local one',
    )
    .option(
      '--endpoint <url>',
      'with --from: the address of an S3-compatible store, for DuckDB and ClickHouse',
    )
    .option('--snapshot <id>', 'with --from: this snapshot, instead of the newest')
    .option('--account <id>', 'the account of the snapshot', parseId)
    .addHelpText('after', EXAMPLES)
    .action(async (dialect: Dialect | 'dbt', options: WarehouseOptions) => {
      const text = await textFor(dialect, options, context);
      for (const line of text.trimEnd().split('\n')) context.print(line);
    });
}

async function textFor(
  dialect: Dialect | 'dbt',
  { schema, compare, account, from, endpoint, snapshot }: WarehouseOptions,
  context: CommandContext,
): Promise<string> {
  if (from === undefined && (endpoint ?? snapshot) !== undefined) {
    throw usage('--endpoint and --snapshot need --from, the prefix of a delivery.');
  }
  if (from !== undefined && compare !== undefined)
    throw usage('--from loads, and --compare compares: give one.');
  if (dialect === 'dbt') {
    if ((schema ?? compare ?? from) !== undefined) {
      throw usage(
        'dbt takes neither --schema, --compare nor --from: its file has a variable for the schema.',
      );
    }
    const { dbtSources } = await import('../warehouse/dbt.ts');
    return dbtSources();
  }
  if (compare === undefined) {
    const { loadSql } = await import('../warehouse/load-tables.ts');
    return loadSql(dialect, schema, from === undefined ? null : { prefix: from, endpoint, snapshot });
  }
  if (account === undefined) throw usage('--compare needs the account of the snapshot.');
  const { comparingSql } = await import('./actions/warehouse.ts');
  return await comparingSql({ account, id: compare, dialect, schema }, context);
}

function usage(message: string): CrossfootError {
  return new CrossfootError('usage_invalid', message);
}
