/** Reference pages of the program: commands, settings, errors, log events and metrics. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../src/commands/program.ts';
import { type Setting, SETTINGS } from '../../src/config.ts';
import { ERRORS } from '../../src/errors.ts';
import { LOG_EVENTS } from '../../src/log-events.ts';
import { markdownTable, type ReferencePage } from './reference-page.ts';
import { codes } from '../../src/serve/contract/api-shape.ts';

const THEME = 'Reference';
const SOURCES = new URL('../../', import.meta.url);

/** The five pages; their ids and slugs never change. */
export function programPages(): readonly ReferencePage[] {
  return [commandsPage(), settingsPage(), errorsPage(), eventsPage(), metricsPage()];
}

function commandsPage(): ReferencePage {
  const { commands } = createProgram({
    env: {},
    signal: new AbortController().signal,
    print: () => undefined,
    say: () => undefined,
  });
  const list = commands.map((command) => [`[${command.name()}](#${command.name()})`, sentence(command)]);
  return {
    id: 1201,
    slug: 'commands',
    theme: THEME,
    title: 'Commands',
    summary: 'Every command of the program, with its arguments, options and examples.',
    body: `Type the commands as shown, in a clone after \`npm ci\`, or in the image. Each command has \`--help\`.

${markdownTable(
  ['exit code', 'meaning'],
  [
    ['0', 'done'],
    ['1', 'failed'],
    ['2', 'wrong usage or settings'],
    ['3', 'figures or files were refused: by the audit, by `verify` or by `pull`'],
    ['10', '`pull` found nothing new'],
  ],
)}
${markdownTable(['command', 'what it does'], list)}
${commands.map((command) => commandText(command)).join('\n')}`,
  };
}

/** A heading, the description and the usage of a command, and of each of its subcommands. */
function commandText(command: Command, before = ''): string {
  const name = `${before}${command.name()}`;
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  const below = command.commands.map((each) => commandText(each, `${name} `));
  const parts = [
    `${before === '' ? '##' : '###'} ${name}\n`,
    `${sentence(command)}\n`,
    `\`\`\`sh\nnpx --no crossfoot ${name} ${command.usage()}\n\`\`\`\n`,
    ...(rows.length > 0 ? [markdownTable(['argument or option', 'meaning'], rows)] : []),
    // The help of a subcommand repeats the examples of its parent.
    ...(before === '' ? textAfterHelp(command) : []),
    ...below,
  ];
  return parts.join('\n');
}

function argumentRow(argument: Argument): readonly string[] {
  return [`\`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\``, meaning(argument)];
}

function optionRow(option: Option): readonly string[] {
  return [`\`${option.flags}\``, `${meaning(option)}${option.mandatory ? ' Required.' : ''}`];
}

/** The description of an argument or option as a sentence, with its choices and its default. */
function meaning({ description, argChoices, defaultValue }: Argument | Option): string {
  const said = [capital(description)];
  if (argChoices !== undefined) said.push(`One of ${codes(argChoices)}.`);
  if (!['undefined', 'boolean'].includes(typeof defaultValue)) {
    said.push(`${codes([defaultValue])} if omitted.`);
  }
  return said.join(' ');
}

/** The text after the options in `--help`: examples as code, the rest as text. */
function textAfterHelp(command: Command): readonly string[] {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => written.push(text) });
  command.outputHelp();
  const after = written.join('').slice(command.helpInformation().length);
  return after
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('Examples:')
        ? `\`\`\`sh\n${part.replace(/^Examples:\n/, '').replaceAll(/^ {2}/gm, '')}\n\`\`\`\n`
        : `${part.replaceAll(/\n */g, ' ')}\n`,
    );
}

function sentence(command: Command): string {
  return capital(command.description());
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

function settingsPage(): ReferencePage {
  const settings: [string, Setting][] = Object.entries(SETTINGS);
  const rows = settings.map(([name, { sentence: text, expected, absent, secret }]) => [
    `\`${name}\``,
    `${text}${secret ? ' Its value is never printed.' : ''}`,
    expected,
    absent,
  ]);
  return {
    id: 1202,
    slug: 'settings',
    theme: THEME,
    title: 'Settings',
    summary: 'Every environment variable that the program reads, what it must be, and its default.',
    body: `The program reads its settings from the environment. An empty variable counts as absent. One message names all wrong settings.
A setting whose value is never printed may also stand in a file: \`SECRET_KEYS_FILE=/run/secrets/keys\` names the file of \`SECRET_KEYS\`.

${markdownTable(['setting', 'what it is for', 'what it must be', 'default'], rows)}`,
  };
}

function errorsPage(): ReferencePage {
  const rows = Object.entries(ERRORS).map(([code, { meaning: text, exit, status }]) => [
    `\`${code}\``,
    text,
    String(exit),
    String(status),
  ]);
  return {
    id: 1203,
    slug: 'errors',
    theme: THEME,
    title: 'Errors',
    summary: 'Every error code, what it means, its exit code and its HTTP status.',
    body: `A command prints the message of an error and the next step. The log has the code in its field \`code\`. A route answers
with the HTTP status; most codes occur in commands only.

${markdownTable(['code', 'meaning', 'exit code', 'HTTP status'], rows)}`,
  };
}

function eventsPage(): ReferencePage {
  const sections = Object.entries(LOG_EVENTS).map(([subject, events]) => {
    const rows = Object.entries(events).map(([name, { level, fields, meaning: sentences, remedy }]) => [
      `\`${name}\``,
      level,
      fields.map((field) => `\`${field}\``).join(' '),
      sentences.join(' '),
      remedy,
    ]);
    return `## ${subject}\n\n${markdownTable(['event', 'level', 'fields', 'meaning', 'what to do'], rows)}`;
  });
  return {
    id: 41,
    slug: 'log-events',
    theme: THEME,
    title: 'Log events',
    summary: 'Every event of the log, with its level, its fields, what it means and what to do.',
    body: `The log goes to standard error. On a terminal it is one short line per event: the time in UTC, what happened, its values and,
below it, what to do. Elsewhere it is one JSON line per event. \`LOG_FORMAT=json\` and \`LOG_FORMAT=text\` choose the form.

Every JSON line has \`time\`, \`level\` and \`event\`. Lines about one
request share its \`request_id\`; the response carries it as \`X-Request-Id\`.

Lines about an error have \`error\` (classes and codes), \`code\` and \`stack\`. An error of the [catalogue](errors.md) also has
\`message\` and \`hint\`. If figures were refused, the line also has the facts: \`check\`, \`table\`, \`place\` (the key or window),
\`figure\`, \`expected\`, \`found\` and, for a wrong amount, \`cents_off\`. No line holds a token, a secret, the address of a webhook, free text or a person's name.

${sections.join('\n')}`,
  };
}

interface Metric {
  readonly name: string;
  readonly kind: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Which process serves it: a server, a worker or both. */
  readonly by: string;
}

/** Metrics of only one kind of process, by the file that declares them; both processes have the others. */
const ONE_PROCESS: Readonly<Record<string, string>> = {
  'src/serve/metrics/metrics.ts': 'server',
  'src/run/worker/metrics.ts': 'worker',
};

/** Every metric, parsed from its declaration in the source. */
function metrics(): readonly Metric[] {
  const declared =
    /new (Gauge|Counter|Histogram)(?:<string>)?\(\{\s*name: '(\w+)',\s*help:\s*'([^']+)',(?:\s*labelNames: \[([^\]]*)\],)?/g;
  return globSync('src/**/*.ts', { cwd: fileURLToPath(SOURCES) })
    .toSorted()
    .flatMap((path) =>
      [...readFileSync(new URL(path, SOURCES), 'utf8').matchAll(declared)].map(
        ([, kind = '', name = '', help = '', labels = '']) => ({
          name,
          kind: kind.toLowerCase(),
          help,
          labels: [...labels.matchAll(/'(\w+)'/g)].map(([, label = '']) => label),
          by: ONE_PROCESS[path] ?? 'both',
        }),
      ),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

function metricsPage(): ReferencePage {
  const rows = metrics().map(({ name, kind, help, labels, by }) => [
    `\`${name}\``,
    kind,
    codes(labels),
    by,
    help,
  ]);
  return {
    id: 1204,
    slug: 'metrics',
    theme: THEME,
    title: 'Metrics',
    summary: 'Every metric for Prometheus, with its labels, and which process serves it.',
    body: `Set \`METRICS_PORT\`, and servers and workers serve \`/metrics\` in the text format of Prometheus. No token is needed, so
\`METRICS_HOST\` is this machine unless you set it. No label holds an account or a token. The usual metrics of a Node process
(memory, event loop, garbage collection) are there too. The command \`start\` serves the metrics of a server and of a worker.
The file \`deploy/alerts.yml\` has alert rules.

${markdownTable(['metric', 'kind', 'labels', 'process', 'meaning'], rows)}`,
  };
}
