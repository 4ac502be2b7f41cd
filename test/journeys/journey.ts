/** Runs the blocks of a page in their order, and compares what they print with what the page shows next. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Clone } from './clone.ts';
import type { Journey } from './journeys.ts';
import { type Block, blocksOf, RUN } from './page-blocks.ts';
import { outputPattern } from './printed.ts';
import { type Ran, Session } from './session.ts';

export interface Outcome {
  readonly page: string;
  readonly line: number;
  readonly came: 'ran' | 'marked' | 'failed';
  /** Of a failure: what happened; of a mark: its reason. */
  readonly why: string;
}

const START = 'npm ci && npm start\n';

export async function runJourney(journey: Journey, clone: Clone): Promise<readonly Outcome[]> {
  const { page, given = '', asks = {}, files = {}, after = {} } = journey;
  using session = new Session(clone.path, clone.env);
  const outcomes: Outcome[] = [];
  const prepared = await session.run('sh', given);
  let printed: Ran | null = null;
  for (const [index, block] of blocksOf(page).entries()) {
    const tell = (came: Outcome['came'], why = ''): unknown =>
      outcomes.push({ page, line: block.line, came, why });
    const asked = asks[index];
    if (!prepared.ok) tell('failed', `before the page: ${said(prepared)}`);
    else if (block.notRun !== null) tell('marked', block.notRun);
    else if (block.code === START) {
      // The first lines are those of npm.
      const lines = clone.stdout.slice(clone.stdout.findIndex((line) => /^\w/.test(line)));
      printed = { ok: true, stdout: lines.join('\n'), stderr: clone.stderr.join('\n') };
      tell('ran');
    } else if (RUN.includes(block.language)) {
      printed = await session.run(block.language, await adapted(block.code, journey, session));
      const holds =
        printed.ok && after[index] !== undefined ? await check(session, printed, after[index]) : printed;
      if (holds.ok) tell('ran');
      else tell('failed', said(holds));
    } else if (files[index] !== undefined) {
      writeFileSync(join(clone.path, files[index]), block.code);
      const fault = unreadable(block);
      tell(fault === null ? 'ran' : 'failed', fault ?? '');
    } else {
      if (asked !== undefined) printed = await session.run('sh', asked);
      const fault = printed === null ? unreadable(block) : unlike(block, printed);
      if (fault === null) tell('ran');
      else tell('failed', fault);
    }
  }
  return outcomes;
}

/** The code with what a reader writes in place of the page's examples. */
async function adapted(code: string, { values = {} }: Journey, session: Session): Promise<string> {
  const real = new Map<string, string>();
  for (const [example, text] of Object.entries(values).filter(([each]) => code.includes(each)))
    real.set(example, (await session.run('sh', `printf %s "${text}"`)).stdout);
  if (real.size === 0) return code;
  // All at once: what a reader writes may look like another example.
  const shown = [...real.keys()].map((each) => each.replaceAll(/\W/g, String.raw`\$&`));
  return code.replaceAll(new RegExp(shown.join('|'), 'g'), (each) => real.get(each) ?? each);
}

async function check(session: Session, { stdout }: Ran, line: string): Promise<Ran> {
  const quoted = `'${stdout.trim().replaceAll("'", `'\\''`)}'`;
  const { ok, stderr } = await session.run('sh', `printed=${quoted}\n${line}`);
  return { ok, stdout, stderr: `${stderr}\n${line}: does not hold` };
}

function said({ stdout, stderr }: Ran): string {
  return `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n');
}

/** What stands after no command is the text of a file. */
function unreadable({ language, code }: Block): string | null {
  try {
    if (language === 'json') JSON.parse(code);
    if (language === 'yaml') parse(code);
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Lines of a log begin with the time, and stand among the others on a terminal. */
const isLog = (line: string): boolean => /^\d\d:\d\d:\d\d /.test(line);

function unlike({ code }: Block, { ok, stdout, stderr }: Ran): string | null {
  const lines = code.split('\n');
  const logged = lines
    .filter(isLog)
    .every((line) => stderr.split('\n').some((each) => outputPattern(line).test(each)));
  const shown = outputPattern(lines.filter((line) => !isLog(line)).join('\n'));
  return ok && logged && shown.test(stdout.trim())
    ? null
    : `shows another output than\n${said({ ok, stdout, stderr })}`;
}
