/** Every block of the README is run, and shows what it gave. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder } from './instances.ts';
import { blocksOf, curlByFetch, outputPattern } from './readme-blocks.ts';

const TOP = new URL('../../', import.meta.url);
const text = readFileSync(new URL('README.md', TOP), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('package.json', TOP), 'utf8')) as {
  scripts: Record<string, string>;
};

const [started = '', roi = '', assistant = '', own = '', ...others] = blocksOf(text, 'text', 'json');
const shell = blocksOf(text, 'sh');
/** The figure that three ways give, in cents. */
const FIGURE = 3_061_155;

describe('what the README shows of the demo company', () => {
  let demo: Folder;
  let downloads: string;
  let variables: Readonly<Record<string, string>>;
  let printed: string;
  beforeAll(async () => {
    [demo, downloads] = await Promise.all([Folder.make(), mkdtemp(join(tmpdir(), 'crossfoot-readme-'))]);
    // The log of a person changes nothing of what is printed.
    const program = demo.run(['start'], { LOG_FORMAT: 'text', LOG_LEVEL: 'info' });
    await program.said(/^\d\d:\d\d:\d\d The server listens \(port \d+, http:\S+\/v1\)$/);
    await program.said(/^ready /);
    variables = await demo.demo();
    printed = program.stdout.join('\n');
  });
  afterAll(async () => {
    await demo[Symbol.asyncDispose]();
    await rm(downloads, { recursive: true });
  });

  const curl = (line: string): Promise<string> => curlByFetch(line, variables, downloads);

  it('is all of its blocks: no block with output stands outside these tests', () => {
    expect(others).toEqual([]);
    expect(shell.map((block) => block.split(/\s/)[0])).toEqual(['npm', '.', 'curl', 'npx']);
    expect(blocksOf(text, 'sql')).toHaveLength(1);
    expect([...text.matchAll(/^```(\w+)$/gm)]).toHaveLength(4 + 4 + 1);
  });

  it('is what `npm start` prints', () => {
    expect(shell[0]).toBe('npm ci && npm start\n');
    expect(scripts['start']).toBe('node src/cli.ts start');
    expect(printed).toMatch(outputPattern(started));
  });

  it('is what each query of its SQL gives over the tables that its curl downloads', async () => {
    const lines = (shell[1] ?? '').split('\n').filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(2);
    for (const line of lines) await curl(line);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      await connection.run(`set file_search_path = '${downloads}'`);
      const queries = [...(blocksOf(text, 'sql')[0] ?? '').matchAll(/^(.*;) -- (\d+)$/gm)];
      for (const [, sql = '', shown = ''] of queries) {
        const rows = (await connection.runAndReadAll(sql)).getRows();
        expect([sql, rows.map(String)]).toEqual([sql, [shown]]);
      }
      expect(queries.map(([, , shown]) => Number(shown))).toEqual([FIGURE, FIGURE]);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });

  it('is what the read API answers, with the same figure', async () => {
    const answer = await curl((shell[2] ?? '').trim());
    expect(answer).toMatch(outputPattern(roi));
    expect(JSON.parse(answer)).toMatchObject({ total_cost_cents: FIGURE });
    expect(roi).toContain(`"total_cost_cents":${FIGURE},`);
  });

  it('is what the assistant answers, with the same figure', async () => {
    const client = new Client({ name: 'readme', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(variables['BASE_URL']?.replace(/v1$/, 'mcp') ?? ''), {
        requestInit: { headers: { authorization: `Bearer ${variables['TOKEN']}` } },
      }),
    );
    const { content } = await client.callTool({ name: 'get_roi_summary', arguments: { window: 'all' } });
    await client.close();
    const [said] = content;
    expect(said).toMatchObject({ type: 'text', text: expect.stringMatching(outputPattern(assistant)) });
    expect(assistant).toContain(`Cost: ${(FIGURE / 100).toLocaleString('en')} USD`);
  });

  it('is what a company of one’s own takes beside the running demo, and its token reads the snapshot', async () => {
    expect(scripts['cli']).toBe('node src/cli.ts');
    const lines = (shell[3] ?? '').trim().split(/\n| && /);
    const shown: string[] = [];
    for (const line of lines) {
      const command = wordsOf(line.replace('npx --no crossfoot ', ''), downloads);
      const { code, stdout, stderr } = await demo.run(command, { LOG_FORMAT: 'text' }).ended;
      expect({ command, code, stderr: code === 0 ? [] : stderr }).toEqual({ command, code: 0, stderr: [] });
      // A person who reads a file of it later sees no progress.
      expect(stderr.filter((said) => /14 tables|rows\/s|\u2026/.test(said))).toEqual([]);
      shown.push(...stdout);
    }
    expect(shown.join('\n')).toMatch(outputPattern(own));
    const TOKEN = shown.find((line) => line.startsWith('cf_pat_')) ?? '';
    const manifest = await curlByFetch(
      'curl -H "Authorization: Bearer $TOKEN" $BASE_URL/reporting/latest',
      { ...variables, TOKEN },
      downloads,
    );
    expect(JSON.parse(manifest)).toMatchObject({ account_id: 4 });
  });
});

/** The words of a command as a shell reads them; the starter files go into the test's own folder. */
function wordsOf(line: string, folder: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare = '']) => quoted ?? bare.replace('./own', join(folder, 'own')),
  );
}
