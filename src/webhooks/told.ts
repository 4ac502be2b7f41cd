/**
 * Tells an event to a person: one sentence, the page to look at, and the command to run next. It is made of the body that
 * other receivers get as JSON, so that no form can tell other facts.
 */
import { z } from 'zod';
import { shownInstant } from '../format.ts';
import { helpingCommands, leftOutSentences, shownAmount } from '../figures/left-out-words.ts';
import { leftOutAmounts } from '../snapshot/format/manifest.ts';
import { secondOfSnapshotId } from '../snapshot/format/snapshot-id.ts';
import { parseInstant } from '../time.ts';

/** A person reads no more of them in a message. */
const NAMED_BUDGETS = 10;

export interface Told {
  /** In a few words, as the subject of a letter. */
  readonly subject: string;
  readonly sentence: string;
  /** The address of the page; null for a test message. */
  readonly link: string | null;
  readonly command: string;
}

/** When it happened, or when the program noticed. */
const sent = { timestamp: z.string() };
const account = { account_id: z.int(), url: z.string() };
const snapshot = { ...account, snapshot_id: z.string() };
const night = { ...account, night: z.string().nullable() };
const compared = { ...snapshot, compared_with: z.string() };
const movedTotal = z.object({ figure: z.string(), before_cents: z.number(), after_cents: z.number() });
const passedBudget = z.object({
  initiative_id: z.number(),
  part: z.string().nullable(),
  currency: z.string().nullable(),
  budget_cents: z.number().nullable(),
  actual_cents: z.number().nullable(),
  ended_on: z.string().nullish(),
});
const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot.published'),
    ...sent,
    data: z.object({ ...snapshot, left_out: leftOutAmounts.nullable() }),
  }),
  z.object({
    type: z.literal('snapshot.refused'),
    ...sent,
    data: z.object({ ...night, check: z.string(), cents_off: z.number().nullable(), since: z.string() }),
  }),
  z.object({
    type: z.literal('snapshot.failed'),
    ...sent,
    data: z.object({ ...night, code: z.string() }),
  }),
  z.object({ type: z.enum(['snapshot.stale', 'snapshot.late']), ...sent, data: z.object(snapshot) }),
  z.object({
    type: z.literal('snapshot.retracted'),
    ...sent,
    data: z.object({ ...snapshot, replaced_by: z.string().nullable() }),
  }),
  z.object({
    type: z.literal('snapshot.damaged'),
    ...sent,
    data: z.object({ ...snapshot, files: z.array(z.string()) }),
  }),
  z.object({
    type: z.literal('totals.moved'),
    ...sent,
    data: z.object({ ...compared, totals: z.array(movedTotal) }),
  }),
  z.object({
    type: z.literal('budget.passed'),
    ...sent,
    data: z.object({ ...compared, budgets: z.array(passedBudget) }),
  }),
  z.object({
    type: z.enum(['snapshot.delivered', 'snapshot.undelivered']),
    ...sent,
    data: z.object({ ...snapshot, target_id: z.int(), reason: z.string().nullable() }),
  }),
  z.object({ type: z.literal('test'), ...sent, data: z.object({ account_id: z.int() }) }),
]);

type Message = z.infer<typeof message>;

/** Makes the words of an event from the JSON body of its message. */
export function tellOf(body: string): Told {
  const read = message.parse(JSON.parse(body));
  const { account_id } = read.data;
  const { subject, sentence, command } = wordsOf(read);
  return {
    subject: `Account ${account_id}: ${subject}`,
    sentence,
    link: 'url' in read.data ? pageOf(read.data) : null,
    command: command.startsWith('npx') ? command : `npx --no crossfoot ${command} --account ${account_id}`,
  };
}

function wordsOf(read: Message): Pick<Told, 'subject' | 'sentence' | 'command'> {
  const of = `of account ${read.data.account_id}`;
  switch (read.type) {
    case 'snapshot.published': {
      const { snapshot_id, left_out } = read.data;
      const sentences = left_out === null ? [] : leftOutSentences(left_out);
      const [help = 'snapshots'] = sentences.length === 0 ? [] : helpingCommands(left_out?.reasons);
      const passed = `Snapshot ${snapshot_id} ${of} passed its audit and can be read.`;
      return { subject: 'new snapshot', sentence: [passed, ...sentences].join(' '), command: help };
    }
    case 'snapshot.refused': {
      const { check, cents_off, since } = read.data;
      const off = cents_off === null ? '' : `, off by USD ${shownAmount(cents_off)}`;
      const before = since === read.timestamp ? '' : ` since ${shownMoment(since)}`;
      return {
        subject: 'snapshot refused',
        sentence: `The audit refused the snapshot ${of}${ofNight(read.data)} by ${check}${off}${before}; the snapshot before stays served.`,
        command: 'why',
      };
    }
    case 'snapshot.failed':
      return {
        subject: 'build failed',
        sentence: `The build ${of}${ofNight(read.data)} failed at its last try as of ${shownMoment(read.timestamp)} (${read.data.code}); the snapshot before stays served.`,
        command: 'why',
      };
    case 'snapshot.late':
    case 'snapshot.stale': {
      const { snapshot_id } = read.data;
      const made = shownInstant(secondOfSnapshotId(snapshot_id));
      const hours = read.type === 'snapshot.late' ? 26 : 36;
      return {
        subject: read.type === 'snapshot.late' ? 'a night is late' : 'newest snapshot stale',
        sentence: `The newest snapshot ${of} is more than ${hours} hours old: ${snapshot_id}, made ${made}.`,
        command: 'why',
      };
    }
    case 'snapshot.retracted': {
      const { snapshot_id, replaced_by } = read.data;
      const instead = replaced_by === null ? 'nothing replaces it yet' : `use ${replaced_by} instead`;
      return {
        subject: 'snapshot retracted',
        sentence: `Snapshot ${snapshot_id} ${of} was retracted as of ${shownMoment(read.timestamp)} and must no longer be used; ${instead}.`,
        command: 'snapshots',
      };
    }
    case 'snapshot.damaged': {
      const { snapshot_id, files } = read.data;
      const [first = 'a file', ...others] = files;
      const refused =
        others.length === 0
          ? `${first} does not hold what was audited, and is refused until it is restored`
          : `${first} and ${others.length} more do not hold what was audited, and are refused until they are restored`;
      return {
        subject: 'snapshot damaged',
        sentence: `Snapshot ${snapshot_id} ${of} was found damaged at ${shownMoment(read.timestamp)}: ${refused}.`,
        command: 'enqueue',
      };
    }
    case 'snapshot.delivered':
    case 'snapshot.undelivered': {
      const { snapshot_id, target_id, reason } = read.data;
      const isThere = read.type === 'snapshot.delivered';
      return {
        subject: isThere ? 'snapshot delivered' : 'delivery failed',
        sentence: isThere
          ? `Snapshot ${snapshot_id} ${of} was delivered whole to target ${target_id}.`
          : `Snapshot ${snapshot_id} ${of} could not be delivered to target ${target_id} until ${shownMoment(read.timestamp)}: ${reason}`,
        command: isThere ? 'deliver list' : `deliver test ${target_id}`,
      };
    }
    case 'totals.moved': {
      const { snapshot_id, compared_with, totals } = read.data;
      const moves = totals.map(
        ({ figure, before_cents, after_cents }) =>
          `${figure.replace('_cents', '').replace('_', ' ')} from USD ${shownAmount(before_cents)} to USD ${shownAmount(after_cents)}`,
      );
      return {
        subject: 'totals moved',
        sentence: `Totals ${of} moved ${sinceSnapshot(compared_with)}, in snapshot ${snapshot_id}: ${moves.join(', ')}.`,
        command: `diff ${compared_with} ${snapshot_id}`,
      };
    }
    case 'budget.passed': {
      const { snapshot_id, compared_with, budgets } = read.data;
      return {
        subject: 'budget passed',
        sentence: [
          ...budgets
            .slice(0, NAMED_BUDGETS)
            .map((budget) => passedSentence(budget, of, sinceSnapshot(compared_with))),
          ...(budgets.length > NAMED_BUDGETS ? [`${budgets.length - NAMED_BUDGETS} more did.`] : []),
        ].join(' '),
        command: `diff ${compared_with} ${snapshot_id} --table budget_vs_actual`,
      };
    }
    case 'test':
      return {
        subject: 'test message',
        sentence: `This is a test: messages ${of} arrive here.`,
        command: 'webhooks list',
      };
  }
}

function passedSentence(
  {
    initiative_id,
    part,
    currency,
    budget_cents,
    actual_cents,
    ended_on = null,
  }: z.infer<typeof passedBudget>,
  of: string,
  since: string,
): string {
  const ended = ended_on === null ? '' : `, which ended on ${ended_on},`;
  const name = `${part === null ? 'its budget' : `its ${part} budget`}${ended}`;
  const passed = `Initiative ${initiative_id} ${of} passed ${name} ${since}`;
  if (budget_cents === null || actual_cents === null) return `${passed}.`;
  const amount = (cents: number): string => `${currency ?? ''} ${shownAmount(cents)}`.trim();
  return `${passed}: ${amount(actual_cents)} spent of ${amount(budget_cents)}.`;
}

/** A moment of the message as a person reads it. */
function shownMoment(text: string): string {
  const moment = parseInstant(text);
  return moment === null ? text : shownInstant(moment);
}

/** Since when: since the snapshot before was made. */
function sinceSnapshot(snapshot_id: string): string {
  return `since ${shownInstant(secondOfSnapshotId(snapshot_id))}`;
}

function ofNight({ night: day }: { readonly night: string | null }): string {
  return day === null ? '' : ` for the night of ${day}`;
}

/** The page of a snapshot, of what it changed, or of the account's nights. The address in the body ends in `/v1/reporting/…`. */
function pageOf(data: {
  readonly url: string;
  readonly snapshot_id?: string;
  readonly compared_with?: string;
}): string {
  const root = data.url.slice(0, data.url.lastIndexOf('/v1/reporting/'));
  if (data.snapshot_id === undefined) return `${root}/night`;
  const page = `${root}/snapshots/${data.snapshot_id}`;
  return data.compared_with === undefined ? page : `${page}/changes?from=${data.compared_with}`;
}
