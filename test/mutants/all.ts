/** Every rule that is taken out of the program to see a test fail. */
import { ADDRESSES } from './rules/addresses.ts';
import { ASSISTANT_CLIENTS } from './assistant-clients.ts';
import { ASSISTANT_SERVERS } from './assistant-servers.ts';
import { ASSISTANT_TOKENS } from './assistant-tokens.ts';
import { ASSISTANTS } from './assistants.ts';
import { ANSWERS } from './rules/answers.ts';
import { AUDIT } from './rules/audit.ts';
import { BILLS } from './bills.ts';
import { BUILD } from './rules/build.ts';
import { COMPANION_TABLES } from './companions.ts';
import { COMPARE } from './rules/compare.ts';
import { CONVERSION } from './rules/conversion.ts';
import { DELIVERIES } from './deliveries.ts';
import { DIFF } from './rules/diff.ts';
import { EMBEDDED } from './rules/embedded.ts';
import { EXPORTED_BILLS } from './exports.ts';
import { FIGURES } from './rules/figures.ts';
import { FOCUS } from './rules/focus.ts';
import { FOREIGN_CLIENTS } from './rules/foreign-clients.ts';
import { HEADS } from './rules/heads.ts';
import { KEEP } from './rules/keep.ts';
import { LEDGER } from './rules/ledger.ts';
import { ROWS } from './rules/rows.ts';
import { LOAD } from './rules/load.ts';
import { LOADS } from './loads.ts';
import { LOG } from './rules/log.ts';
import { ONE_VALUE } from './one-value.ts';
import { MONEY } from './rules/money.ts';
import { OPERATIONS } from './operations.ts';
import { WAITING } from './waiting.ts';
import { PAGES } from './pages.ts';
import { PEOPLE } from './people.ts';
import { PROVER } from './rules/prover.ts';
import { PRUNE } from './rules/prune.ts';
import { PUBLISH } from './rules/publish.ts';
import { PULL } from './rules/pull.ts';
import { QUEUE } from './rules/queue.ts';
import { RATES } from './rules/rates.ts';
import { REQUESTS } from './rules/requests.ts';
import { SECRETS } from './rules/secrets.ts';
import { SIGNING } from './rules/signing.ts';
import { RANGES } from './ranges.ts';
import { SOURCES } from './sources.ts';
import { SCANS } from './scans.ts';
import { SUMS } from './sums.ts';
import { STORE } from './rules/store.ts';
import { USAGE } from './usage.ts';
import { VIEWS } from './views.ts';
import { WAREHOUSES } from './warehouses.ts';
import { WEBHOOKS } from './rules/webhooks.ts';
import { WORK } from './rules/worker.ts';
import { WRITTEN_FILES } from './written-files.ts';
import { type Mutant, type Mutants, namedMutants } from './mutant.ts';

const ROOMS: readonly Mutants[] = [
  ADDRESSES,
  ANSWERS,
  ASSISTANTS,
  ASSISTANT_CLIENTS,
  ASSISTANT_SERVERS,
  ASSISTANT_TOKENS,
  AUDIT,
  BILLS,
  BUILD,
  COMPANION_TABLES,
  COMPARE,
  CONVERSION,
  DELIVERIES,
  DIFF,
  EMBEDDED,
  EXPORTED_BILLS,
  FIGURES,
  FOCUS,
  FOREIGN_CLIENTS,
  HEADS,
  KEEP,
  LEDGER,
  ROWS,
  LOAD,
  LOADS,
  LOG,
  MONEY,
  OPERATIONS,
  WAITING,
  PAGES,
  ONE_VALUE,
  PEOPLE,
  PROVER,
  PRUNE,
  PUBLISH,
  PULL,
  QUEUE,
  RANGES,
  RATES,
  REQUESTS,
  SECRETS,
  SIGNING,
  SOURCES,
  SCANS,
  STORE,
  SUMS,
  USAGE,
  VIEWS,
  WAREHOUSES,
  WEBHOOKS,
  WORK,
  WRITTEN_FILES,
];

/** Sorted by name. */
export const MUTANTS: readonly Mutant[] = ROOMS.flatMap(namedMutants).toSorted((a, b) =>
  a.name < b.name ? -1 : 1,
);
