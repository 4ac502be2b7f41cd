/** What only some rooms may do: look at the world, at a clock or at chance, or speak SQL. */
import type { Source } from './source.ts';

interface Capability {
  readonly name: string;
  /** In the code, as `readSource` writes it. */
  readonly code?: RegExp;
  /** In a module's name; an import of types gives nothing. */
  readonly module?: RegExp;
  /** In a text. */
  readonly text?: RegExp;
  readonly allowed: readonly string[];
}

// The client is a program of its own, on the other end of the line; pages and the worker run in a browser.
const AT_THE_ENDS = [
  'src/cli.ts',
  'src/client/',
  'src/browser/copy-buttons.ts',
  'src/prover/page.ts',
  'src/prover/worker.ts',
  'src/commands/',
  'src/run/',
  'jobs/',
  'src/serve/',
];

export const CAPABILITIES: readonly Capability[] = [
  {
    name: 'the environment',
    code: /\bprocess (?:\?\. |\. )env\b|\bprocess \[/,
    module: /^(?:node:)?process$/,
    // Where a process begins, which hands it to `readSettings`.
    allowed: ['src/config.ts', 'src/cli.ts', 'src/client/main.ts', 'jobs/', 'tools/'],
  },
  {
    name: 'a clock',
    code: /\b(?:Date|performance) \. now\b|\bnew Date (?:\( \)|;|\)|,)|\bprocess \. (?:hrtime|uptime)\b|\bTemporal \. Now\b/,
    module: /^(?:node:)?perf_hooks$/,
    // A session of the read API limits the time of its set-up; no figure depends on it.
    allowed: [...AT_THE_ENDS, 'src/ledger/account-session.ts'],
  },
  {
    name: 'a timer',
    code: /\bset(?:Timeout|Interval|Immediate) \(|\bAbortSignal \. timeout\b/,
    module: /^(?:node:)?timers(?:\/promises)?$/,
    // The ledger waits for servers, the embedded server for processes, rates for their publishers, webhooks for
    // their receivers; no figure depends on how long.
    allowed: [
      ...AT_THE_ENDS,
      'src/ledger/',
      'src/embedded/',
      'src/processes.ts',
      'src/rates/',
      'src/webhooks/',
    ],
  },
  {
    name: 'chance',
    code: /\bMath \. random\b|\brandom(?:Bytes|UUID|Int|Fill|FillSync) \(|\bgetRandomValues\b/,
    // The embedded server makes its own passwords and lock files.
    allowed: [...AT_THE_ENDS, 'src/embedded/'],
  },
  {
    name: 'the file system',
    module: /^(?:node:)?fs(?:\/promises)?$/,
    allowed: [
      'src/cli.ts',
      'src/client/',
      'src/commands/',
      'src/run/',
      'jobs/',
      'tools/generate/',
      'src/ledger/',
      'src/embedded/',
      'src/processes.ts',
      'src/rates/',
      'src/warehouse/',
    ],
  },
  {
    name: 'the terminal',
    // `runProgram` escapes what would steer it: names of accounts and files may hold that.
    code: /\bprocess \. std(?:out|err)\b|\bconsole \. /,
    allowed: ['src/commands/terminal/run-program.ts', 'src/client/main.ts', 'jobs/', 'tools/'],
  },
  {
    name: 'a redirect or a file name past their helper',
    // A redirect of raw input leads to any site, and a raw name breaks its header.
    code: /\. redirect \(/,
    text: /attachment; filename/,
    allowed: ['src/serve/http/header-values.ts'],
  },
  {
    name: 'a page or a route past its declaration',
    // `definePage`, `defineAddress`, `defineFile` and `defineRoute` add the policy, session and cache header of an answer.
    code: /\bc \. html \(|\b(?:app|routes) \. (?:get|post|put|delete|all|on|use|route|mount) \(/,
    module: /^hono$/,
    text: /\btext\/html\b/,
    allowed: [
      'src/serve/frame/',
      'src/serve/contract/',
      'src/serve/app.ts',
      'src/serve/page-routes.ts',
      // Protocols of their own, for programs.
      'src/serve/assistant/',
      'src/serve/connect/',
      'src/serve/sharing/',
      'src/serve/reporting/pull-routes.ts',
    ],
  },
  {
    name: 'a rule of CSS',
    // Styles lie in `assets/styles`, where they are formatted and checked. The policy of pages refuses the other two.
    text: /\{\s*(?:--)?[a-z]+(?:-[a-z]+)*:\s[^{}]*;\s*\}|<style\b|\sstyle="/,
    allowed: [],
  },
  {
    name: 'rows without declared columns',
    // Kysely's types or declared columns say what a row has: a cast, or a row read as `any`, claims an unchecked type.
    code: /\. query <|\brows\b[^;]*\} = await \w+ \. query \(|\. query \([^;]*\) \) \. rows\b/,
    allowed: ['src/database/', 'src/ledger/moment/cursor-rows.ts'],
  },
  {
    name: 'SQL',
    module: /^kysely(?:\/|$)|\/database\/query\.ts$/,
    text: /^\s*(?:select\s+\S|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s|(?:create|alter|drop)\s+(?:table|view|schema|role|database|function)\s|grant\s+\w|copy\s+[\w(]|lock\s+table\s|set\s+(?:local|role)\s|begin\s+\w|truncate\s+\w)/i,
    // What servers and workers keep for themselves, in schema `ops` alone; and what others run in their own warehouses.
    allowed: [
      'src/database/',
      'src/ledger/',
      'tools/seed/',
      'tools/generate/database-types.ts',
      'tools/generate/ledger-tables.ts',
      'src/embedded/',
      'src/ops/',
      'src/webhooks/',
      'src/deliveries/',
      // What it runs around the scripts of `schema/audit`: it loads the small tables, and asks what a check read.
      'src/snapshot/audit/audit.ts',
      'src/snapshot/audit/engine.ts',
      'src/tables/create-table.ts',
      'src/warehouse/',
      // It writes and reads the tables of a catalogue, in a file of its own.
      'src/lake/',
    ],
  },
];

/** A file outside the test room does only what its room may. */
export function refuseCapabilities(files: readonly Source[]): string[] {
  return files.flatMap((file) =>
    file.path.startsWith('test/')
      ? []
      : CAPABILITIES.filter(
          (each) => uses(file, each) && !each.allowed.some((start) => file.path.startsWith(start)),
        ).map((each) => `${file.path}: uses ${each.name}`),
  );
}

function uses(file: Source, { code, module, text }: Capability): boolean {
  return (
    code?.test(file.code) === true ||
    (module !== undefined && file.imports.some((each) => !each.typeOnly && module.test(each.from))) ||
    (text !== undefined && file.texts.some((each) => text.test(each)))
  );
}
