import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readFirst, readOne, readRows } from '../../database/query.ts';
import { INITIATIVE } from '../../tables/records/initiative.ts';
import { type PageQuestion, type Position, readPage, when } from './keyset.ts';
import { selectRecord } from './select-record.ts';

const INITIATIVES = selectRecord(INITIATIVE, ['planned_value_period', 'app_url', 'plan_confirmed']);

/**
 * An initiative as the read API serves it. Its recurring planned amounts are per `planned_value_period`; null means a
 * year. `app_url`: its page in the application; null if neither the account nor the settings have an application
 * address. `plan_confirmed`: false if the service filled in the plan and no person confirmed it; undefined as of a snapshot
 * that does not say.
 */
export type InitiativeRow = Omit<InferResult<typeof INITIATIVES>[number], 'plan_confirmed'> & {
  readonly plan_confirmed?: boolean | undefined;
};

export interface InitiativeFilters {
  readonly include_sample: boolean;
}

/** A page of initiatives, in the order of their last change. */
export async function listInitiatives(
  client: ClientBase,
  page: PageQuestion,
  { include_sample }: InitiativeFilters,
): Promise<readonly InitiativeRow[]> {
  const wanted = INITIATIVES.where((eb) => eb.and(include_sample ? [] : [eb.not('is_sample')]));
  return await readPage(client, wanted, page);
}

const HEADS = db.selectFrom('reporting.initiatives').select(['id', 'title', 'stage', 'app_url']);

/** What a comparison shows of an initiative besides its figures. */
export type InitiativeHead = InferResult<typeof HEADS>[number];

/** Every initiative of an account without samples, the latest change first. */
export async function readInitiativeHeads(
  client: ClientBase,
  account_id: bigint,
): Promise<readonly InitiativeHead[]> {
  const own = HEADS.where('account_id', '=', account_id).where((eb) => eb.not('is_sample'));
  return await readRows(client, own.orderBy('updated_at', 'desc').orderBy('id', 'desc'));
}

/** The ids and change times of a page of initiatives, in the order of their last change. */
export async function listInitiativePositions(
  client: ClientBase,
  page: PageQuestion,
  {
    initiative_id,
    include_sample,
  }: { readonly initiative_id?: bigint | undefined; readonly include_sample: boolean },
): Promise<readonly Position[]> {
  const wanted = db
    .selectFrom('ledger.initiatives')
    .select(['id', 'updated_at'])
    .where((eb) =>
      eb.and([
        ...when(initiative_id, (id) => eb('id', '=', id)),
        ...(include_sample ? [] : [eb('is_sample', '=', false)]),
      ]),
    );
  return await readPage(client, wanted, page);
}

/** One initiative, as it is now; null if the account does not have it, or has it only as a sample. */
export async function findInitiative(
  client: ClientBase,
  account_id: bigint,
  id: bigint,
): Promise<InitiativeRow | null> {
  const question = INITIATIVES.where('account_id', '=', account_id).where('id', '=', id);
  return await readFirst(
    client,
    question.where((eb) => eb.not('is_sample')),
  );
}

/** How many initiatives the account has. */
export async function countInitiatives(client: ClientBase, account_id: bigint): Promise<number> {
  const counted = db
    .selectFrom('ledger.initiatives')
    .select(sql<number>`count(*)::int4`.as('initiatives'))
    .where('account_id', '=', account_id);
  return (await readOne(client, counted)).initiatives;
}
