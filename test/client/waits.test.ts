/** How often, and after which waits, `pull.mjs`, or the program that PULL_PROGRAM names, tries again; without waiting. */
import { execFile } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import timers from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Interruption, PullStopped } from '../../src/client/errors.ts';
import { retry } from '../../src/client/retry.ts';
import { PULL_PROGRAMS } from './pull-program.ts';

const PROGRAM = process.env['PULL_PROGRAM'] ?? 'node';

const slept: number[] = [];
beforeEach(() => {
  slept.length = 0;
  vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms) => void slept.push((ms ?? 0) / 1000));
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

interface Busy {
  /** The share of the longest wait that chance takes. */
  readonly chance?: number;
  /** Seconds that the server asks for. */
  readonly asked?: number;
  /** The try that brings a byte before it is interrupted. */
  readonly moves?: number;
}
interface Tried {
  readonly tries: number;
  /** Seconds. */
  readonly waits: readonly number[];
  readonly said: string;
}

async function triedByNode({ chance = 1, asked = 0, moves = 0 }: Busy): Promise<Tried> {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  let tries = 0;
  const tools = { signal: new AbortController().signal, say: () => undefined };
  const running = retry('costs.parquet', tools, async (moved) => {
    tries += 1;
    if (tries === moves) moved();
    throw new Interruption('503 Busy.', asked * 1000);
  });
  const stopped: unknown = await running.catch((error: unknown) => error);
  if (!(stopped instanceof PullStopped)) throw new Error('the pull went on', { cause: stopped });
  return { tries, waits: [...slept], said: `${stopped.exit} ${stopped.message}` };
}

async function triedByPython(busy: Busy): Promise<Tried> {
  const [python, script] = PULL_PROGRAMS.python;
  const program = `
import json, sys
sys.path.insert(0, sys.argv[1])
import pull
busy = {"chance": 1, "asked": 0, "moves": 0, **json.loads(sys.argv[2])}
tries, waits, said = 0, [], ""
def attempt(moved):
    global tries
    tries += 1
    if tries == busy["moves"]:
        moved()
    raise pull.Interruption("503 Busy.", busy["asked"])
server = pull.Server("http://127.0.0.1", "a token")
pull.random.random = lambda: busy["chance"]
server.stopped.wait = lambda seconds: waits.append(seconds)
try:
    server.retry("costs.parquet", attempt)
except pull.PullStopped as error:
    said = f"{error.code} {error}"
print(json.dumps({"tries": tries, "waits": waits, "said": said}))
`;
  const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' };
  const args = ['-c', program, dirname(script), JSON.stringify(busy)];
  return JSON.parse((await promisify(execFile)(python, args, { env })).stdout) as Tried;
}

const tried = PROGRAM === 'python' ? triedByPython : triedByNode;
const said = '1 costs.parquet: 503 Busy.; given up.';

describe(`an attempt of ${PROGRAM} that is always interrupted`, () => {
  it('is tried eight times, after waits that double from half a second up to thirty', async () => {
    expect(await tried({})).toEqual({ tries: 8, waits: [0.5, 1, 2, 4, 8, 16, 30], said });
  });

  it('waits by chance for less than that, but never for less than the server asks for', async () => {
    expect(await tried({ chance: 0.5, asked: 3 })).toEqual({
      tries: 8,
      waits: [3, 3, 3, 3, 4, 8, 15],
      said,
    });
  });

  it('is counted anew from each byte on, with short waits again', async () => {
    // The seventh try brings a byte, and is the first of eight.
    const waits = [0.5, 1, 2, 4, 8, 16, 0.5, 1, 2, 4, 8, 16, 30];
    expect(await tried({ moves: 7 })).toEqual({ tries: 14, waits, said });
  });

  it('waits for the ten minutes that a server asks for, and is given up at once for more', async () => {
    expect(await tried({ asked: 600 })).toEqual({ tries: 8, waits: Array(7).fill(600), said });
    slept.length = 0;
    expect(await tried({ asked: 601 })).toEqual({ tries: 1, waits: [], said });
  });
});
