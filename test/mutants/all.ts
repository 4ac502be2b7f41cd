/** Every rule that is taken out of the program to see a test fail. */
import { ANSWERS } from './answers.ts';
import { AUDIT } from './audit.ts';
import { BUILD } from './build.ts';
import { COMPARE } from './compare.ts';
import { CONVERSION } from './conversion.ts';
import { DIFF } from './diff.ts';
import { EMBEDDED } from './embedded.ts';
import { FIGURES } from './figures.ts';
import { FOCUS } from './focus.ts';
import { HEADS } from './heads.ts';
import { KEEP } from './keep.ts';
import { LEDGER } from './ledger.ts';
import { LOAD } from './load.ts';
import { LOG } from './log.ts';
import { MONEY } from './money.ts';
import { PROVER } from './prover.ts';
import { PRUNE } from './prune.ts';
import { PUBLISH } from './publish.ts';
import { PULL } from './pull.ts';
import { QUEUE } from './queue.ts';
import { RATES } from './rates.ts';
import { REQUESTS } from './requests.ts';
import { SECRETS } from './secrets.ts';
import { SIGNING } from './signing.ts';
import { STORE } from './store.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WORK } from './worker.ts';
import type { Mutant, Mutants } from './mutant.ts';

const ROOMS: readonly Mutants[] = [
  ANSWERS,
  AUDIT,
  BUILD,
  COMPARE,
  CONVERSION,
  DIFF,
  EMBEDDED,
  FIGURES,
  FOCUS,
  HEADS,
  KEEP,
  LEDGER,
  LOAD,
  LOG,
  MONEY,
  PROVER,
  PRUNE,
  PUBLISH,
  PULL,
  QUEUE,
  RATES,
  REQUESTS,
  SECRETS,
  SIGNING,
  STORE,
  WEBHOOKS,
  WORK,
];

/** Sorted by name. */
export const MUTANTS: readonly Mutant[] = ROOMS.flatMap((room) =>
  Object.entries(room).map(([name, mutant]) => ({
    ...mutant,
    name,
    edits: 'edits' in mutant ? mutant.edits : [mutant],
  })),
).toSorted((a, b) => (a.name < b.name ? -1 : 1));
