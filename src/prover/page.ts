/** The script of the prove page: buttons, progress, and the proof as it comes from the worker. */
import type { Browser, Element } from './browser.ts';
import type { WorkerAnswer, Request } from './messages.ts';
import type { Proof } from './prove.ts';
import { proofElements } from './proof-elements.ts';
import { outcomeText, reportText } from './report.ts';
import { missingHere } from './signatures.ts';

const { document, location, Worker } = globalThis as unknown as Browser; // this file runs in a page alone

function element(id: string): Element {
  const found = document.querySelector(`#${id}`);
  if (found === null) throw new Error(`The page has no ${id}.`);
  return found;
}

const form = element('prove');
const offered = element('offer');
const key = element('key');
const cancel = element('cancel');
const again = element('again');
const save = element('save');
const progress = element('progress');
const state = element('state');
const result = element('result');
// The page's address is …/snapshots/<id>/prove. All addresses are relative to it, so they also work behind a proxy's path.
const page = location.href.replace(/[?#].*$/, '');
const at = (path: string): string => new URL(path, page).href;

// The worker is loaded with the page, so that checking needs no network later.
const worker = new Worker(at(form.dataset['worker'] ?? ''));
let isLoaded = false;
let last: Proof | null = null;

function send(request: Request, text: string): void {
  last = null;
  result.replaceChildren();
  show({ isRunning: true });
  say(text);
  worker.postMessage(request, []);
}

function show({ isRunning }: { isRunning: boolean }): void {
  offered.hidden = isRunning;
  cancel.hidden = !isRunning;
  progress.hidden = !isRunning;
  again.hidden = isRunning || !isLoaded;
  save.hidden = isRunning || last === null;
}

function say(text: string): void {
  // A screen reader reads a status aloud each time it is set, even if the text is the same.
  if (state.textContent !== text) state.textContent = text;
}

function trustedKey(): string | null {
  const text = String(key.value).trim();
  return text === '' ? null : text;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  isLoaded = false;
  const { snapshot = '', keys = '' } = form.dataset;
  const addresses = { snapshot_id: snapshot, page, keys: at(keys) };
  send({ kind: 'start', ...addresses, key: trustedKey() }, 'Loading the files.');
});
again.addEventListener('click', () => {
  send({ kind: 'again', key: trustedKey() }, 'Checking what is in memory.');
});
cancel.addEventListener('click', () => {
  worker.postMessage({ kind: 'cancel' } satisfies Request, []);
});
save.addEventListener('click', () => {
  if (last === null) return;
  const text = reportText(last, { checked_at: new Date().toISOString(), page });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = `crossfoot-proof-${last.snapshot_id}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
});

worker.addEventListener('message', ({ data }) => {
  const answer = data as WorkerAnswer; // the worker of this very bundle sends nothing else
  if (answer.kind === 'loading' || answer.kind === 'checking') {
    if (answer.kind === 'checking') {
      isLoaded = true;
      say('Everything is loaded. Checking needs no network.');
    }
    progress.max = Math.max(answer.total, 1);
    progress.value = answer.done;
    return;
  }
  if (answer.kind === 'proof') {
    last = answer.proof;
    say(outcomeText(answer.proof));
    result.replaceChildren(...proofElements(answer.proof, (name) => document.createElement(name)));
  } else {
    say(answer.kind === 'failed' ? `Nothing is proven. ${answer.message}` : 'Cancelled. Nothing is proven.');
  }
  show({ isRunning: false });
});
worker.addEventListener('error', ({ message }) => {
  say(`Nothing is proven. The check failed: ${message}`);
  show({ isRunning: false });
});

async function offer(): Promise<void> {
  const why = await missingHere();
  offered.hidden = why !== null;
  if (why !== null) say(`This browser cannot prove a snapshot. ${why} Run the command below instead.`);
}
void offer();
