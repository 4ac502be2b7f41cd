/** A client of the API in Java, made by openapi-generator from the contract and compiled by Maven. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Company } from './company.ts';

const TOP = resolve(import.meta.dirname, '../..');
const GENERATOR = 'openapi-generator-cli';
const VERSION = '7.14.0';
const COSTS = join(TOP, 'fixtures/company/cost_entries.csv');
/** More than 2^31. */
const LARGE_CENTS = '3000000000';

interface With {
  /** Runs a program in a folder and gives what it prints. */
  readonly tool: (program: string, args: readonly string[], folder: string) => string;
  readonly script: string;
}

/** Loads the large cost, and throws unless the Java client reads the sum that the API sends. */
export async function readLargeSum(
  { command, env, get }: Company,
  folder: string,
  { tool, script }: With,
): Promise<void> {
  const { BASE_URL = '', TOKEN = '' } = env;
  command('load', largeCost(folder), '--mode', 'upsert');
  const { total_cost_cents } = z
    .object({ total_cost_cents: z.int().min(Number(LARGE_CENTS)) })
    .parse(JSON.parse(await get('/roi')));
  const artifact = `org.openapitools:${GENERATOR}:${VERSION}`;
  tool(
    'mvn',
    ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`],
    folder,
  );
  const contract = join(TOP, 'schema/v1.openapi.json');
  const options = ['generate', '-i', contract, '-g', 'java', '--library', 'native', '-o', 'client'];
  tool('java', ['-jar', `${GENERATOR}-${VERSION}.jar`, ...options], folder);
  tool(
    'mvn',
    ['-q', '-B', '-f', 'client/pom.xml', 'package', '-DskipTests', '-Dmaven.javadoc.skip=true'],
    folder,
  );
  const classes = 'client/target/openapi-java-client-v1.jar:client/target/lib/*';
  const said = tool('java', ['-cp', classes, script, BASE_URL, TOKEN], folder).trim();
  if (said !== String(total_cost_cents)) throw new Error(`Java read ${said}, not ${total_cost_cents}`);
}

/** A file of costs with one cost of 30 million dollars. */
function largeCost(folder: string): string {
  const [head = '', ...lines] = readFileSync(COSTS, 'utf8').split('\n');
  const line = lines.find((each) => each.startsWith('1,3087,117,6000,')) ?? '';
  const path = join(folder, 'large', 'cost_entries.csv');
  mkdirSync(join(folder, 'large'));
  writeFileSync(path, `${head}\n${line.replace('1,3087,117,6000,', `1,3998,117,${LARGE_CENTS},`)}\n`);
  return path;
}
