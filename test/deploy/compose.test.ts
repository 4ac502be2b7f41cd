/** compose.yaml: its services start the program with settings that exist, and with secrets that are files. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Setting, SETTINGS } from '../../src/config.ts';
import { openEnvironment } from '../../src/run/secret-files.ts';
import { openSecretKeys } from '../../src/run/server/secret-keys.ts';
import { programHere } from '../commands/program-here.ts';

const TOP = new URL('../../', import.meta.url);

/** What Node and the client of S3 read themselves. */
const OF_LIBRARIES = ['AWS_SHARED_CREDENTIALS_FILE', 'NODE_EXTRA_CA_CERTS'];

const texts = z.array(z.string());
const condition = z.strictObject({
  condition: z.enum(['service_healthy', 'service_completed_successfully']),
});
const service = z.strictObject({
  image: z.string(),
  build: z.literal('.').optional(),
  restart: z.enum(['unless-stopped', 'on-failure', 'no']),
  read_only: z.literal(true).optional(),
  tmpfs: texts.optional(),
  cap_drop: texts.optional(),
  security_opt: texts.optional(),
  profiles: texts.optional(),
  entrypoint: texts.optional(),
  command: texts.optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: texts,
  volumes: texts.default([]),
  ports: texts.optional(),
  stop_grace_period: z.string().optional(),
  healthcheck: z.looseObject({ test: texts, interval: z.string(), timeout: z.string() }).optional(),
  depends_on: z.record(z.string(), condition).default({}),
});
const compose = z.looseObject({
  name: z.literal('crossfoot'),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

/** What `compose.override.yaml` adds to services. */
const override = z.strictObject({
  services: z.record(
    z.string(),
    z.strictObject({ environment: z.record(z.string(), z.string()), secrets: texts }),
  ),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

let file: z.infer<typeof compose>;
let program: readonly (readonly [name: string, service: z.infer<typeof service>])[];
let folder: string;

beforeAll(async () => {
  file = compose.parse(parse(await readFile(new URL('compose.yaml', TOP), 'utf8'), { merge: true }));
  program = Object.entries(file.services).filter(([, { build }]) => build !== undefined);
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-compose-'));
  if (makeSecrets() !== 0) throw new Error('deploy/secrets.sh failed');
});
afterAll(() => rm(folder, { recursive: true }));

function makeSecrets(): number | null {
  const path = [fileURLToPath(new URL('fake-openssl', import.meta.url)), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path };
  return spawnSync('sh', [fileURLToPath(new URL('deploy/secrets.sh', TOP))], { cwd: folder, env }).status;
}

/** The value of a variable as Compose gives it where the operator sets none. */
function given(value: string): string {
  return value.replace(/^\$\{\w+:-(.*)\}$/, '$1').replace('/run/secrets/', `${folder}/secrets/`);
}

describe('compose.yaml', () => {
  it('has a database, an S3, a migration, a server, a worker and the tools of an operator', () => {
    expect(Object.keys(file.services)).toEqual(['db', 's3', 'migrate', 'roles', 'server', 'worker', 'tools']);
    expect(program.map(([name]) => name)).toEqual(['migrate', 'server', 'worker', 'tools']);
  });

  it('names each image with its version, that of the program as package.json has it', async () => {
    const { version } = JSON.parse(await readFile(new URL('package.json', TOP), 'utf8')) as {
      version: string;
    };
    for (const [name, { image }] of Object.entries(file.services)) {
      expect([name, image]).toEqual([name, expect.stringMatching(/^[\w/.-]+:v?\d[\d.]*$/)]);
    }
    for (const [name, { image }] of program) expect([name, image]).toEqual([name, `crossfoot:${version}`]);
    const dockerfile = await readFile(new URL('Dockerfile', TOP), 'utf8');
    expect(dockerfile).toContain(`org.opencontainers.image.version="${version}"`);
  });

  it('starts commands that the program has, with a root that it cannot write to', () => {
    for (const [name, { entrypoint = [], command = [], read_only, volumes }] of program) {
      const [node, cli, ...args] = [...entrypoint, ...command];
      const [word, ...options] = args;
      expect([name, node, cli, options]).toEqual([name, 'node', 'src/cli.ts', []]);
      expect(programHere().program.commands.map((each) => each.name())).toContain(word);
      expect([name, read_only, name === 'migrate' || volumes[0]?.endsWith(':/data')]).toEqual([
        name,
        true,
        true,
      ]);
    }
  });

  it('sets only settings that exist, secrets by files alone, which the service mounts', () => {
    const secretFiles = Object.entries<Setting>(SETTINGS).flatMap(([name, { secret }]) =>
      secret === true ? [`${name}_FILE`] : [],
    );
    for (const [name, { environment, secrets, entrypoint = [] }] of Object.entries(file.services)) {
      const words = [...Object.values(environment), ...entrypoint].join('\n');
      const used = new Set([...words.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret]) => secret));
      if (name === 'roles') used.add('server_password'); // deploy/compose-roles.sql reads it
      expect([name, used]).toEqual([name, new Set(secrets)]);
    }
    for (const [name, { environment }] of program) {
      const unknown = Object.keys(environment).filter(
        (key) => ![...secretFiles, ...OF_LIBRARIES].includes(key) && !(key in SETTINGS),
      );
      const shown = Object.keys(environment).filter(
        (key) => (SETTINGS as Record<string, Setting>)[key]?.secret,
      );
      // The address of the bucket is no secret here: its key stands in a file.
      expect([name, unknown, shown.filter((key) => !['OBJECT_STORE', 'S3_ENDPOINT'].includes(key))]).toEqual([
        name,
        [],
        [],
      ]);
    }
  });

  it('gives settings that the program reads, with the secrets that deploy/secrets.sh makes', () => {
    for (const [name, { environment }] of program) {
      const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, given(value)]));
      const settings = openEnvironment(env);
      expect([name, settings.databaseUrl ?? settings.ownerUrl]).toEqual([
        name,
        expect.stringMatching(/^postgres:\/\/(?:crossfoot_server|postgres):[0-9a-f]{64}@db\/crossfoot$/),
      ]);
    }
  });

  it('gives server, worker and tools the keys with which the secrets of targets are sealed and opened', async () => {
    const keys = await Promise.all(
      program
        .filter(([name]) => name !== 'migrate')
        .map(async ([, { environment }]) => {
          const env = Object.entries(environment).map(([key, value]) => [key, given(value)] as const);
          return await openSecretKeys(openEnvironment(Object.fromEntries(env)));
        }),
    );
    expect(keys.map((each) => each.length)).toEqual([1, 1, 1]);
    expect(new Set(keys.map(([key]) => key)).size).toBe(1);
  });

  it('takes the mail server of deploy/README.md by a file beside it', async () => {
    const readme = await readFile(new URL('deploy/README.md', TOP), 'utf8');
    const [, text = ''] = /```yaml\n(.*?)```/s.exec(readme) ?? [];
    const added = override.parse(parse(text, { merge: true }));
    expect(Object.keys(added.services)).toEqual(['worker', 'tools']);
    const mail = join(folder, 'smtp_url');
    await writeFile(mail, 'smtps://crossfoot:password@mail.example.com\n');
    for (const [name, { environment, secrets }] of Object.entries(added.services)) {
      expect(environment['SMTP_URL_FILE']).toBe('/run/secrets/smtp_url');
      const env = { ...file.services[name]?.environment, ...environment, SMTP_URL_FILE: mail };
      const settings = openEnvironment(
        Object.fromEntries(Object.entries(env).map(([key, value]) => [key, given(value)])),
      );
      expect([name, settings.mail?.url]).toEqual([name, 'smtps://crossfoot:password@mail.example.com']);
      expect(secrets).toEqual(Object.keys(added.secrets));
    }
  });

  it('lets everything wait for what it needs, and asks each lasting service for its health', () => {
    for (const [name, { depends_on }] of Object.entries(file.services)) {
      for (const [needed, { condition: when }] of Object.entries(depends_on)) {
        const ends = file.services[needed]?.restart === 'on-failure';
        const expected = ends ? 'service_completed_successfully' : 'service_healthy';
        expect([name, needed, when]).toEqual([name, needed, expected]);
      }
    }
    const waiting = program.filter(([name]) => name !== 'migrate');
    expect(waiting.map(([, { depends_on }]) => Object.keys(depends_on))).toEqual([
      ['roles', 's3'],
      ['roles', 's3'],
      ['roles', 's3'],
    ]);
    const asked = Object.entries(file.services).filter(([, { healthcheck }]) => healthcheck !== undefined);
    // The image of the program asks the server itself.
    expect(asked.map(([name]) => name)).toEqual(['db', 's3', 'worker']);
  });

  it('declares each volume and each secret that a service names, and no other', () => {
    const services = Object.values(file.services);
    const named = services.flatMap(({ volumes }) => volumes.map((each) => each.split(':')[0] ?? ''));
    const kept = named.filter((each) => !each.startsWith('.'));
    expect(Object.keys(file.volumes).toSorted()).toEqual([...new Set(kept)].toSorted());
    const secrets = services.flatMap((each) => each.secrets);
    expect(Object.keys(file.secrets).toSorted()).toEqual([...new Set(secrets)].toSorted());
  });
});

async function readSecrets(): Promise<readonly string[]> {
  const names = (await readdir(join(folder, 'secrets'))).toSorted();
  return await Promise.all(names.map((name) => readFile(join(folder, 'secrets', name), 'utf8')));
}

describe('deploy/secrets.sh', () => {
  it('makes each secret of compose.yaml, in a folder that others cannot open', async () => {
    const made = await readdir(join(folder, 'secrets'));
    expect(made.map((name) => `./secrets/${name}`).toSorted()).toEqual(
      Object.values(file.secrets)
        .map((each) => each.file)
        .toSorted(),
    );
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
  });

  it('changes no secret when it runs again', async () => {
    const before = await readSecrets();
    expect(makeSecrets()).toBe(0);
    expect(await readSecrets()).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
  });
});
