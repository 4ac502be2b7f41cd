/** Sends the real server very many requests that no client should send, and names its wrong answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer-reader.ts';
import { assistantRequest, listTools, toolsOf } from './assistant-requests.ts';
import { Kept, type Outcome, sendRaw } from './connections.ts';
import { type Asked, describedRequest, type Known, readRoutes } from './described-requests.ts';
import { type Sample, slopes } from './flatness.ts';
import { type FuzzedServer, startFuzzed } from './fuzzed-server.ts';
import { faultOf, isHandled } from './judged-answer.ts';
import { rawRequest } from './raw-requests.ts';
import { seeded } from './seeded.ts';
import type { CampaignRequest, CampaignResult } from '../chaos/campaign.ts';

const CONNECTIONS = 8;
/** Sent before the first is answered; an account may have 16 figures asked for at once. */
const AT_ONCE = 6;
/** Of a hundred batches: raw bytes, and messages to the assistant. */
const RAW = 8;
const ASSISTANT = 6;
const SAMPLES = 40;
const LATER_MS = 5_000;
const LATER_TRIES = 6;
const MAX_BAD = 20;
const MAX_KEPT_VALUES = 200;
/** Fewer requests than these only warm a server up: their slopes say nothing. */
const ENOUGH_FOR_SLOPES = 100_000;
const MAX_BYTES_SLOPE = 16 * 1024 * 1024;
const MAX_DESCRIPTORS_SLOPE = 2;

/** Runs until `times` requests were answered or refused, or the signal says to stop. */
export async function runFuzz({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  await using server = await startFuzzed();
  return await new Fuzz(server, { seed, times, say, signal }).run();
}

class Fuzz {
  readonly #server: FuzzedServer;
  readonly #request: CampaignRequest;
  readonly #known: Known;
  readonly #bad: string[] = [];
  readonly #byStatus = new Map<number, number>();
  readonly #samples: Sample[] = [];
  #done = 0;
  #handled = 0;
  #later = 0;

  constructor(server: FuzzedServer, request: CampaignRequest) {
    this.#server = server;
    this.#request = request;
    this.#known = { ...server, links: [], cursors: ['none'], tags: ['"none"'] };
  }

  async run(): Promise<CampaignResult> {
    const routes = await readRoutes();
    const kept = new Kept(this.#server.port);
    const [listed] = await kept.ask([listTools(this.#known)]);
    kept.close();
    if (listed === undefined || !('answer' in listed)) throw new Error('the assistant lists no tools');
    const tools = toolsOf(listed.answer.body.toString());

    await this.#one(0, 200, routes, tools);
    await this.#server.watchFiles();
    const { seed, times, say } = this.#request;
    const started = performance.now();
    let told = 0;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, at) =>
        this.#one(seed * CONNECTIONS + at, times, routes, tools, async () => {
          if (this.#done < (told * times) / SAMPLES) return;
          told += 1;
          this.#samples.push({ done: this.#done, ...(await this.#server.holds()) });
          say(`${this.#done} of ${times}, ${this.#bad.length} bad`);
        }),
      ),
    );
    return await this.#result(performance.now() - started);
  }

  /** One connection after the other's pattern, until all together have done so many. */
  async #one(
    seed: number,
    until: number,
    routes: Awaited<ReturnType<typeof readRoutes>>,
    tools: ReturnType<typeof toolsOf>,
    between: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const choose = seeded(seed);
    const kept = new Kept(this.#server.port);
    const described = (): Asked => describedRequest(choose.pick(routes), this.#known, choose);
    const { signal } = this.#request;
    while (this.#done < until && this.#bad.length < MAX_BAD && !signal.aborted) {
      await between();
      const kind = choose.below(100);
      try {
        if (kind < RAW) await this.#raw(rawRequest(described().bytes, choose));
        else {
          const make =
            kind < RAW + ASSISTANT ? () => assistantRequest(tools, this.#known, choose) : described;
          for (const outcome of await kept.ask(Array.from({ length: AT_ONCE }, make)))
            await this.#look(outcome);
        }
      } catch (error) {
        this.#blame(String(error), this.#server.ended() ?? '');
        break;
      }
    }
    kept.close();
  }

  async #raw(bytes: string): Promise<void> {
    const { answers, left } = await sendRaw(this.#server.port, bytes);
    const path = /^\S+ (\/[^ ?]*)/.exec(bytes)?.[1] ?? '';
    this.#done += Math.max(answers.length, 1);
    for (const answer of answers) await this.#judge(answer, path, bytes);
    // An answer may be cut short, as its client went away; and what the parser refuses has a body, also for HEAD.
    if (!left.startsWith('HTTP/1.1 ') && !bytes.startsWith('HEAD') && left !== '')
      this.#blame(`${left.length} bytes that are no answer`, bytes);
  }

  async #look(outcome: Outcome): Promise<void> {
    if (!('answer' in outcome)) return; // the connection was closed before its turn
    const { asked, answer } = outcome;
    this.#done += 1;
    await this.#judge(answer, asked.path, asked.bytes);
    if (answer.status !== 200 || asked.method !== 'GET') return;
    const { cursors, tags } = this.#known;
    const cursor = /"next_cursor":"([^"]+)"/.exec(answer.body.toString('latin1'))?.[1];
    if (cursor !== undefined && cursors.length < MAX_KEPT_VALUES) cursors.push(cursor);
    const tag = /\r\netag: ([^\r]+)/.exec(answer.headers)?.[1];
    if (tag !== undefined && tags.length < MAX_KEPT_VALUES) tags.push(tag);
  }

  async #judge(answer: Answer, path: string, bytes: string): Promise<void> {
    this.#byStatus.set(answer.status, (this.#byStatus.get(answer.status) ?? 0) + 1);
    if (isHandled(answer)) this.#handled += 1;
    const fault = faultOf(answer, path);
    if (fault === undefined) return;
    if (answer.status === 503 && (await this.#answersLater(bytes, path))) return;
    this.#blame(fault, bytes);
  }

  /**
   * Whether it was the machine's fault: on one that is too busy to read a file or ask the database within the time
   * limits, 503 is the right answer, and the same request is answered later. A request that breaks something is not.
   */
  async #answersLater(bytes: string, path: string): Promise<boolean> {
    for (let tries = 0; tries < LATER_TRIES; tries += 1) {
      await sleep(LATER_MS);
      const { answers } = await sendRaw(this.#server.port, bytes);
      const again = answers[0];
      if (again === undefined || again.status === 503) continue;
      this.#later += 1;
      return faultOf(again, path) === undefined;
    }
    return false;
  }

  /** Tokens are of this run's database alone; still, no log shows them. */
  #blame(fault: string, bytes: string): void {
    const sentence = `seed ${this.#request.seed}: ${fault} to ${JSON.stringify(bytes.slice(0, 500))}`;
    this.#bad.push(sentence.replaceAll(/(Bearer|Basic) [\w+/=]+/g, '$1 …'));
  }

  async #result(took_ms: number): Promise<CampaignResult> {
    const ended = this.#server.ended();
    if (ended !== undefined) this.#bad.push(ended);
    const files = await this.#server.openedFiles();
    if (files !== null && files.elsewhere.length > 0)
      this.#bad.push(`opened elsewhere: ${files.elsewhere.join(', ')}`);
    const share = Math.round((100 * this.#handled) / Math.max(this.#done, 1));
    if (share < 50) this.#bad.push(`only ${share} of 100 requests reached a handler`);
    const growth = slopes(this.#samples);
    if (this.#done >= ENOUGH_FOR_SLOPES) {
      if (growth.bytes > MAX_BYTES_SLOPE) this.#bad.push('memory grows with the requests');
      if (growth.descriptors > MAX_DESCRIPTORS_SLOPE) this.#bad.push('descriptors grow with the requests');
    }
    const last = this.#samples.at(-1);
    return {
      done: this.#done,
      bad: this.#bad,
      figures: {
        handled_percent: share,
        answered_later: this.#later,
        per_second: Math.round((this.#done * 1_000) / took_ms),
        files_opened: files?.opened ?? 0,
        memory_mb: Math.round((last?.bytes ?? 0) / 1024 / 1024),
        memory_kb_per_100k: Math.round(growth.bytes / 1024),
        descriptors: last?.descriptors ?? 0,
        descriptors_per_100k: Math.round(growth.descriptors * 100) / 100,
        ...Object.fromEntries(
          [...this.#byStatus].toSorted(([a], [b]) => a - b).map(([code, count]) => [`status_${code}`, count]),
        ),
      },
    };
  }
}
