/** The files for deploying, parsed, and held to the program that they start. */
import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SETTINGS } from '../../src/config.ts';
import { programHere } from '../commands/program-here.ts';

const TOP = new URL('../../', import.meta.url);
const read = (name: string): Promise<string> => readFile(new URL(`deploy/${name}`, TOP), 'utf8');

/** What the program does not know of a command line: nothing, or the words. */
async function unknownOf([file = '', ...args]: readonly string[]): Promise<readonly string[]> {
  await access(new URL(file, TOP));
  const [name, ...options] = args;
  const command = programHere().program.commands.find((each) => each.name() === name);
  if (file !== 'src/cli.ts' || command === undefined) return [file, ...args];
  const { operands, unknown } = command.parseOptions([...options]);
  return [...operands, ...unknown];
}

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.tuple([z.literal('node')], z.string()),
  envFrom: z.array(z.unknown()).length(2),
  env: z.array(z.strictObject({ name: z.enum(Object.keys(SETTINGS)), value: z.string() })).optional(),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })).optional(),
  readinessProbe: z.unknown().optional(),
  livenessProbe: z.unknown().optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ memory: z.string() }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.enum(['/data', '/tmp']) })).length(2),
});

const pod = z.strictObject({
  restartPolicy: z.literal('OnFailure').optional(),
  // A worker ends within five seconds of the signal.
  terminationGracePeriodSeconds: z.int().min(6),
  securityContext: z.looseObject({ runAsNonRoot: z.literal(true), runAsUser: z.literal(10_001) }),
  automountServiceAccountToken: z.literal(false),
  containers: z.tuple([container]),
  volumes: z.array(z.strictObject({ name: z.string(), emptyDir: z.strictObject({}) })),
});
const metadata = z.looseObject({ labels: z.record(z.string(), z.string()) });
const template = z.strictObject({ metadata, spec: pod });
const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.int().min(2),
    selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
    template,
  }),
});
const cronJob = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('CronJob'),
  metadata,
  spec: z.strictObject({
    schedule: z.string(),
    timeZone: z.literal('Etc/UTC'),
    concurrencyPolicy: z.literal('Forbid'),
    startingDeadlineSeconds: z.int(),
    jobTemplate: z.strictObject({ spec: z.strictObject({ backoffLimit: z.int(), template }) }),
  }),
});
const service = z.looseObject({
  kind: z.literal('Service'),
  spec: z.strictObject({ selector: z.record(z.string(), z.string()), ports: z.array(z.unknown()) }),
});

async function itemsOf(name: string): Promise<readonly unknown[]> {
  const list = z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('List'),
    items: z.array(z.unknown()),
  });
  return list.parse(JSON.parse(await read(name))).items;
}

describe('the manifests for Kubernetes', () => {
  it.each(['kubernetes-server.json', 'kubernetes-worker.json'])(
    '%s deploys what the program runs',
    async (name) => {
      const { spec } = deployment.parse((await itemsOf(name))[0]);
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
      expect(await unknownOf(spec.template.spec.containers[0].command.slice(1))).toEqual([]);
    },
  );

  it('lead the service to the servers, whose health is asked for', async () => {
    const [first, second] = await itemsOf('kubernetes-server.json');
    const { spec } = deployment.parse(first);
    expect(service.parse(second).spec.selector).toEqual(spec.selector.matchLabels);
    const [{ ports, readinessProbe }] = spec.template.spec.containers;
    expect(ports).toEqual([{ name: 'http', containerPort: 8787 }]);
    expect(readinessProbe).toMatchObject({ httpGet: { path: '/healthz', port: 'http' } });
  });

  it('queue the night at the minute of SCHEDULE', async () => {
    const { spec } = cronJob.parse((await itemsOf('kubernetes-nightly.json'))[0]);
    const [{ command, env }] = spec.jobTemplate.spec.template.spec.containers;
    expect(await unknownOf(command.slice(1))).toEqual([]);
    expect(env).toEqual([{ name: 'SCHEDULE', value: spec.schedule }]);
  });
});

/** A unit of systemd: sections of keys, each key once. */
function parseUnit(text: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const unit: Record<string, Record<string, string>> = {};
  let section: Record<string, string> | undefined;
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? [];
    if (name !== undefined) section = unit[name] = {};
    else if (section === undefined || key === '' || key in section) throw new Error(`not of a unit: ${line}`);
    else section[key] = value;
  }
  return unit;
}

describe('the units of systemd', () => {
  it.each(['crossfoot-nightly.service', 'crossfoot-worker.service'])(
    '%s starts the program',
    async (name) => {
      const unit = parseUnit(await read(name));
      const [node, ...args] = (unit['Service']?.['ExecStart'] ?? '').split(' ');
      expect(node).toBe(`${unit['Service']?.['WorkingDirectory']}/node_modules/.bin/node`);
      expect(await unknownOf(args)).toEqual([]);
    },
  );

  it('fire at the default minute, in UTC, also after the machine was off', async () => {
    const timer = parseUnit(await read('crossfoot-nightly.timer'))['Timer'];
    expect(SETTINGS.SCHEDULE.absent).toBe('`0 2 * * *`');
    expect(timer).toEqual({ OnCalendar: '*-*-* 02:00:00 UTC', Persistent: 'true' });
  });
});

it('the crontab runs existing commands, at the minute of SCHEDULE', async () => {
  const lines = (await read('crontab')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const line = lines.at(-1) ?? '';
  const settings = Object.fromEntries(lines.slice(0, -1).map((each) => each.split(/=(.*)/).slice(0, 2)));
  expect(settings).toMatchObject({ CRON_TZ: 'UTC', SCHEDULE: line.split(' ').slice(0, 5).join(' ') });
  const [, grouped = '', log] = /&& \{ (.+); \} >> (\S+) 2>&1$/.exec(line) ?? [];
  expect(log).toBe(`${settings['DATA_DIR']}/night.log`);
  const commands = grouped.split(' && ');
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const [node, ...args] = command.split(' ');
    expect(node).toBe('node');
    expect(await unknownOf(args)).toEqual([]);
  }
});
