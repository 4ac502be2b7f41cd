/** How `spark_moment.py` signs in: Python runs the script, and a package named `pyspark` writes down its first read. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../src/client/spark_moment.py', import.meta.url));
const PLAN = {
  session_options: '-c role=cf_reader',
  session_start: 'begin',
  tables: [{ name: 'costs', columns: [], select: 'select 1', predicates: ['true'] }],
};
/** Takes each call that comes before the first read, prints how that read connects, and ends the program. */
const PYSPARK = `
import json, sys
from unittest.mock import MagicMock
functions = types = MagicMock()
SparkSession = MagicMock()
def jdbc(url, table, predicates, properties):
    print(json.dumps({"url": url, "user": properties["user"], "password": properties["password"]}))
    sys.exit()
SparkSession.builder.getOrCreate().read.jdbc = jdbc
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-spark-'));
  await writeFile(join(folder, 'plan.json'), JSON.stringify(PLAN));
  await mkdir(join(folder, 'pyspark'));
  // A folder with this file comes before an installed package of the same name.
  await writeFile(join(folder, 'pyspark/__init__.py'), '');
  await writeFile(join(folder, 'pyspark/sql.py'), PYSPARK);
});
afterEach(() => rm(folder, { recursive: true }));

/** How the script connects to the ledger of this address. */
async function connection(ledger: string): Promise<unknown> {
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    LEDGER_URL: ledger,
  };
  const run = await promisify(execFile)('python3', [SCRIPT, join(folder, 'plan.json'), folder], { env });
  return JSON.parse(run.stdout);
}

it.each([
  [
    'postgresql://rea%40der:p%40ss%2Fw%25rd@ledger.example/db',
    {
      url: 'jdbc:postgresql://ledger.example:5432/db?options=-c%20role%3Dcf_reader',
      user: 'rea@der',
      password: 'p@ss/w%rd',
    },
  ],
  [
    'postgresql://reader@ledger.example:6432/db?sslmode=require',
    {
      url: 'jdbc:postgresql://ledger.example:6432/db?sslmode=require&options=-c%20role%3Dcf_reader',
      user: 'reader',
      password: '',
    },
  ],
])('the script for Spark connects to %s with its decoded user and password', async (ledger, expected) => {
  expect(await connection(ledger)).toEqual(expected);
});
