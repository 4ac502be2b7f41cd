/** Where an answer comes from: the ledger now, or the files of a snapshot. Routes and tools do not ask which. */
import type { z } from '@hono/zod-openapi';
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import type { LeftOutBills } from '../../figures/left-out.ts';
import type { WindowRequest } from '../../figures/requested-window.ts';
import type { UsageSum } from '../../figures/usage.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import type { InitiativeHead, InitiativeRow } from '../../ledger/lists/initiatives.ts';
import type { PageQuestion, Position } from '../../ledger/lists/keyset.ts';
import type { NoteRow } from '../../ledger/lists/recent-notes.ts';
import type { SeenInitiative } from '../../ledger/lists/require-initiative.ts';
import type { ListedCompanion } from '../../tables/companions.ts';
import type { BudgetFilters, ComparedInitiative } from './budget-comparisons.ts';
import type { InitiativeFigures } from './initiative-figures.ts';
import type { roiFigures } from './roi-shape.ts';
import type { AiSpendRow } from './snapshot-ai-spend.ts';

/** A list of the read API. */
export interface List<Row extends Position, Filters> {
  /** Its path. A snapshot has its rows in the companion table of this name. */
  readonly name: ListedCompanion;
  /** Reads a page from the ledger. */
  readonly read: (client: ClientBase, page: PageQuestion, filters: Filters) => Promise<readonly Row[]>;
  /** Reads one record from the ledger; null if the account cannot see it. No single records if omitted. */
  readonly find?: (client: ClientBase, account_id: bigint, id: bigint) => Promise<Row | null>;
}

/** A page of a list, oldest change first. */
export type ListPage = Pick<PageQuestion, 'after' | 'updated_since' | 'rows'>;

/** A list of entries, which belong to initiatives and have periods. */
export interface EntryList<Row extends Position> extends List<
  Row,
  { readonly initiative_id: bigint; readonly include_sample: boolean }
> {
  readonly name: 'cost_entries' | 'value_entries';
}

/** The maximum number of entries to read: with the latest periods, and without a period. */
export interface MostEntries {
  readonly dated: number;
  readonly undated: number;
}

/** The scope and window of figures of `/roi`. */
export interface RoiQuery {
  readonly window: WindowRequest;
  /** The portfolio if omitted. */
  readonly initiative_id?: bigint | undefined;
  readonly include_sample: boolean;
}

export type RoiAnswer = z.output<typeof roiFigures>;

/** What a source answers within one read. */
export interface Reads {
  /** The day that figures describe, and the account's fiscal year. */
  moment(): Promise<FiscalMoment>;
  /** The initiative; throws 404 if the account cannot see it. */
  initiative(named: { readonly id: bigint; readonly include_sample: boolean }): Promise<SeenInitiative>;
  page<Row extends Position, Filters extends Readonly<Record<string, unknown>>>(
    list: List<Row, Filters>,
    page: ListPage,
    filters: Filters,
  ): Promise<readonly Row[]>;
  /** One record of the list; null if the account cannot see it. */
  record<Row extends Position, Filters>(list: List<Row, Filters>, id: bigint): Promise<Row | null>;
  /** A page of initiatives, each compared with its budget. */
  comparisons(page: ListPage, filters: BudgetFilters): Promise<readonly ComparedInitiative[]>;
  /** The newest changes of a list first. */
  newest<Row extends Position>(list: List<Row, object>, rows: number): Promise<readonly Row[]>;
  /** The figures of `/roi`. */
  roi(question: RoiQuery): Promise<RoiAnswer>;
  /** The figures of each initiative in the window. */
  initiativeFigures(window: WindowRequest): Promise<InitiativeFigures>;
  /** Every initiative without samples, the latest change first. */
  heads(): Promise<readonly InitiativeHead[]>;
  /** An initiative that is no sample; null if the account cannot see it. */
  initiativeRow(id: bigint): Promise<InitiativeRow | null>;
  /** The initiative compared with its budget; null if the account cannot see it. */
  budget(initiative: Position): Promise<ComparedInitiative | null>;
  /** The entries of the initiative with the latest periods, and those without a period, the highest ids first. */
  latest<Row extends Position>(
    list: EntryList<Row>,
    initiative: Pick<InitiativeRow, 'id' | 'app_url'>,
    most: MostEntries,
  ): Promise<Readonly<Record<keyof MostEntries, readonly Row[]>>>;
  /** The latest notes of an initiative; null for a snapshot, which holds none. */
  notes(initiative_id: bigint, rows: number): Promise<readonly NoteRow[] | null>;
  /** The rows of `ai_spend` of the months that begin in these days; all if null. */
  aiSpend(days: { readonly from: Day; readonly through: Day } | null): Promise<readonly AiSpendRow[]>;
  /**
   * The bills of all months that are in no row of `ai_spend`. Null if the snapshot does not record what it leaves out; empty,
   * too, if its program recorded only costs and value.
   */
  billsLeftOut(): Promise<readonly LeftOutBills[] | null>;
  /**
   * What was used of the AI bills of the months that begin in these days; all if null. Null for a snapshot without rows of
   * usage.
   */
  aiUsage(days: { readonly from: Day; readonly through: Day } | null): Promise<readonly UsageSum[] | null>;
  /** The function that turns a path into its address in the application; null if no application is named. */
  links(): Promise<(path: string) => string | null>;
}

/** How a source is read. */
export interface Session {
  /** The timeout of a statement. */
  readonly timeout_ms: number;
  /** True: figures, which all see one moment. If omitted, rows may be of two moments. */
  readonly figures?: boolean;
  /** True: pages of lists, which leave out the rows that an open transaction may still join. */
  readonly lists?: boolean;
}

export interface Source {
  readonly account_id: bigint;
  /** The snapshot; undefined for the ledger. */
  readonly snapshot_id: string | undefined;
  read<Result>(session: Session, work: (reads: Reads) => Promise<Result>): Promise<Result>;
  /** The answer of `/roi`, perhaps from a cache. */
  roi(question: RoiQuery): Promise<RoiAnswer>;
}
