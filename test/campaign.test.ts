import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CAMPAIGNS } from './campaigns.ts';

const TOP = new URL('../', import.meta.url);

function campaign(...args: readonly string[]) {
  const ended = spawnSync(process.execPath, ['test/campaign.ts', ...args], { cwd: TOP, encoding: 'utf8' });
  return { status: ended.status, stdout: ended.stdout.trimEnd().split('\n'), stderr: ended.stderr };
}

const NAMES = CAMPAIGNS.map(({ name }) => name);

it('every campaign has a unique name, is listed in order, and says in one sentence what it shows', () => {
  expect(NAMES).toEqual([...new Set(NAMES)].toSorted());
  for (const { shows } of CAMPAIGNS) expect(shows).toMatch(/\S[.`]$/);
});

it('npm run campaign lists every campaign', () => {
  const { status, stdout } = campaign();
  expect(status).toBe(0);
  expect(stdout.map((line) => line.split(' ')[0])).toEqual(NAMES);
});

it('npm run campaign refuses an unknown campaign and an option that the campaign does not have', () => {
  expect(campaign('storms')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^There is no campaign storms\. .*\bfuzz\b/),
  });
  expect(campaign('race', '--storms')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/'--storms'/),
  });
});

it('.ci/run runs the campaigns that need another program, and the short faults', () => {
  const { status, stdout } = campaign('--ci');
  expect(status).toBe(0);
  expect(stdout).toEqual([
    'alerts',
    'backup',
    'chaos --short',
    'deliveries --short',
    'focus',
    'journeys',
    'pages',
    'pauses --short',
    'plans',
    'pooler',
    'postgres --short',
    'python',
    's3',
    'search',
    'signatures',
  ]);
  expect(readFileSync(new URL('.ci/run', TOP), 'utf8')).toContain('npm run --silent campaign -- --ci');
});

it('.ci/run counts a campaign as failed when it fails, and when its program is missing', () => {
  const [run = ''] =
    /^run_campaign\(\) \{$.*?^\}$/ms.exec(readFileSync(new URL('.ci/run', TOP), 'utf8')) ?? [];
  const outcomeOf = (code: number): string =>
    spawnSync('bash', ['-c', `npm() { return ${code}; }\n${run}\nrun_campaign pages 3>/dev/null`], {
      env: { ...process.env, failures: '/dev/null' }, // not those of a gate that runs this test
      encoding: 'utf8',
    }).stdout;
  expect([0, 1, 2].map(outcomeOf)).toEqual(['passed\n', 'failed\n', 'failed\n']);
});
