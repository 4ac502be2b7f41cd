/** The alert rules, held to what a real server and a real worker tell Prometheus. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { startService } from '../../src/run/server/service.ts';
import { createWorkerMetrics, openWorkerMetrics } from '../../src/run/worker/metrics.ts';
import { createLogger } from '../../src/log.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { SEED } from '../support/signing.ts';

const TOP = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, TOP), 'utf8');

/** The lines of each rule by its name; `npm run campaign -- alerts` has Prometheus itself evaluate the rules. */
const rules = read('deploy/alerts.yml')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((rule) => {
    const [name = ''] = rule.split('\n');
    const [, expr = ''] = /^ {8}expr: (?:>-\n)?(.*?)^ {8}\w/ms.exec(rule) ?? [];
    return { name, rule, expr };
  });

interface Selector {
  readonly metric: string;
  readonly labels: readonly (readonly [name: string, operator: string, value: string])[];
}

function selectorsOf(expr: string): readonly Selector[] {
  return [...expr.matchAll(/\b(crossfoot_\w+|up)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)].map(
        ([, name = '', operator = '', value = '']) => [name, operator, value] as const,
      ),
    }),
  );
}

/** True if a line of the scrape is what the selector wants; a pattern asks for the label alone. */
function isTold(told: string, { metric, labels }: Selector): boolean {
  return told
    .split('\n')
    .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `))
    .some((line) =>
      labels.every(([name, operator, value]) =>
        line.includes(operator === '=' ? `${name}="${value}"` : `${name}="`),
      ),
    );
}

async function scrape(port: number | undefined): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return await response.text();
}

/** The lines of a scrape that are about the queue. */
const queueOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^crossfoot_(?:builds|rebuilds|dead_letters|deliveries)[ {]/.test(line));

let database: TestDatabase;
let folder: string;
let server = '';
let worker = '';
/** Of one process that serves and builds, as `start` does. */
let together = '';

beforeAll(async () => {
  database = await createDatabase('template_ledger');
  folder = await realpath(await mkdtemp(join(tmpdir(), 'crossfoot-alerts-')));
  const urls = { ledgerUrl: database.url('cf_reader'), serviceUrl: database.url('cf_service') };
  const settings = readSettings({
    DATA_DIR: folder,
    LEDGER_URL: urls.ledgerUrl,
    DATABASE_URL: urls.serviceUrl,
    SIGNING_KEYS: SEED,
    SECRET_KEYS: 'the same key for every server of one ledger',
    PORT: '0',
    METRICS_PORT: '0',
  });
  const ports: number[] = [];
  const logger = createLogger('info', {
    write: (line) => {
      const { event, port } = JSON.parse(line) as { event: string; port: number };
      if (event === 'metrics.started') ports.push(port);
    },
  });
  const service = await startService({ settings, ...urls, logger });
  const inStart = createWorkerMetrics();
  const both = await startService({ settings, ...urls, logger, workerMetrics: inStart.metrics });
  const metrics = await openWorkerMetrics({ settings, service: database.pool('cf_service', 1), logger });
  try {
    await fetch(`${service.baseUrl}/roi`);
    const build = { id: '', retryCount: 0, account_id: 1n, night: null, requested_at: 0n };
    for (const { onAttempt, counting } of [metrics, inStart]) {
      onAttempt('delivered');
      await counting(async () => ({ outcome: 'published' }))(build, new AbortController().signal);
    }
    [server = '', together = '', worker = ''] = await Promise.all(ports.map((port) => scrape(port)));
  } finally {
    await metrics[Symbol.asyncDispose]();
    await both[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

describe.each(rules)('the alert $name', ({ rule, expr }) => {
  it('looks at metrics and labels that a server has', () => {
    const selectors = selectorsOf(expr).filter(({ metric }) => metric !== 'up');
    expect(selectorsOf(expr).length).toBeGreaterThan(0);
    expect(selectors.filter((selector) => !isTold(server, selector))).toEqual([]);
  });

  it('has a severity, says what is wrong, and leads to a page that says what to do', () => {
    expect(rule).toMatch(/^ {8}labels: \{ severity: (?:page|ticket) \}$/m);
    expect(rule).toMatch(/^ {10}summary: "\S.*[\w}]"$/m);
    const [, page = ''] = /^ {10}runbook: \/docs\/([a-z-]+)$/m.exec(rule) ?? [];
    expect(
      ['articles', 'reference'].some((room) => existsSync(new URL(`docs/${room}/${page}.md`, TOP))),
    ).toBe(true);
  });
});

it('every alert is evaluated on recorded metrics in which it must be raised and in which it must not', () => {
  const recorded = read('test/alerts/recorded.yml');
  const [, file = ''] = /^rule_files: \[(.+)\]$/m.exec(recorded) ?? [];
  expect(new URL(file, new URL('test/alerts/', TOP)).href).toBe(new URL('deploy/alerts.yml', TOP).href);
  expect(rules).toHaveLength(16);
  for (const { name } of rules) {
    expect(recorded).toMatch(new RegExp(`alertname: ${name}, eval_time: \\w+, exp_alerts: \\[\\]`));
    expect(recorded).toMatch(
      new RegExp(`alertname: ${name}\\n +eval_time: \\w+\\n +exp_alerts:\\n +- exp_labels`),
    );
  }
});

it('a worker serves metrics of its builds and deliveries, and the same queue metrics as a server', () => {
  for (const text of [worker, together]) {
    expect(text).toContain('crossfoot_builds_finished_total{outcome="published"} 1\n');
    expect(text).toContain('crossfoot_build_seconds_count 1\n');
    expect(text).toContain('crossfoot_delivery_tries_total{outcome="delivered"} 1\n');
    expect(queueOf(text)).toEqual(queueOf(server));
  }
  expect(queueOf(server)).toHaveLength(15);
});

it('only a process that builds knows the clock of the store, because it alone writes there', () => {
  const clock = 'crossfoot_clock_offset_seconds{clock="store"} ';
  expect([server, worker, together].map((text) => text.includes(clock))).toEqual([false, true, true]);
});

/** The names and kinds of our own metrics in a scrape. */
const exposed = (text: string): readonly string[] =>
  [...text.matchAll(/^# TYPE (crossfoot_\w+ \w+)$/gm)].map(([, metric = '']) => metric).toSorted();

it('the reference has every metric of a server and of a worker, with its kind, and no other', () => {
  const documented = [
    ...read('docs/reference/metrics.md').matchAll(/^\| `(crossfoot_\w+)` \| (\w+) \| [^|]*\| (\w+) \|/gm),
  ].map(([, name = '', kind = '', process = '']) => ({ name, kind, process }));
  const documentedFor = (...processes: readonly string[]): readonly string[] =>
    documented
      .filter((metric) => [...processes, 'both'].includes(metric.process))
      .map(({ name, kind }) => `${name} ${kind}`)
      .toSorted();
  expect(documentedFor('server')).toEqual(exposed(server));
  expect(documentedFor('worker')).toEqual(exposed(worker));
  expect(documentedFor('server', 'worker')).toEqual(exposed(together));
});
