/** A resource of the read API: its route, contract and answers are made from one declaration. */
import { z } from '@hono/zod-openapi';
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import type { AccountSession } from '../../ledger/account-session.ts';
import { horizonForLists } from '../../ledger/lists/horizon.ts';
import type { PageQuestion, Place } from '../../ledger/lists/keyset.ts';
import { requireInitiative } from '../../ledger/lists/require-initiative.ts';
import type { ListedCompanion } from '../../tables/companions.ts';
import type { AsOfParts } from './asked-snapshot.ts';
import type { ComparisonCache, KnownComparisons } from './budget-comparisons.ts';
import { type Cursors, foreignCursor, type OpenedCursor } from '../contract/cursor.ts';
import { type FigureParts, inFigureMoment } from './figure-moment.ts';
import type { JsonObject } from './live-answer.ts';
import { asOfShape } from '../contract/shapes.ts';
import { requireFrozenInitiative, type SnapshotFiles } from './snapshot-files.ts';
import { type FrozenPage, readFrozenPage } from './snapshot-lists.ts';

type Shown = z.ZodType<JsonObject>;

/** The parsed query of a list: the page, and the resource's own filters. */
type ListQuery = Readonly<Record<string, unknown>> & {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly updated_since?: bigint | undefined;
};

/** The envelope of every list. */
type Page = {
  data: JsonObject[];
  page: { next_cursor: string | null; has_more: boolean };
};

/** What the handlers of lists need. */
export interface ListParts extends FigureParts, AsOfParts {
  readonly cursors: Cursors;
  readonly comparisons: ComparisonCache;
}

interface Declaration<Row extends Place, Shape extends Shown, Filters extends z.ZodRawShape> {
  /** Its path, and the stem of its names in the contract. */
  readonly name: string;
  /** The name of a row in the contract, such as `CostEntry`. */
  readonly component: string;
  /** What the list holds, as one sentence. */
  readonly sentence: string;
  /** Every field with its meaning. */
  readonly row: Shape;
  /** Its query parameters besides `limit` and `cursor`. */
  readonly filters: Filters;
  /** Timeout of a statement; 10 s if omitted. */
  readonly timeout_ms?: number;
  /** Returns false to drop a row after the page was cut, so a page may have fewer rows than `limit`. Every row stays if omitted. */
  readonly keep?: (row: Row, filters: z.output<z.ZodObject<Filters>>) => boolean;
  /** Converts a row to its JSON form. */
  readonly show: (row: Row) => z.output<Shape>;
  /** Reads one record for the route `/name/{id}`; null if the account cannot see it. No such route if omitted. */
  readonly find?: (client: ClientBase, account_id: bigint, id: bigint) => Promise<Row | null>;
}

/** A declared resource with any type of row. */
export interface Resource {
  readonly name: string;
  readonly component: string;
  readonly sentence: string;
  readonly row: Shown;
  /** A row as the answer of one record, with the snapshot that answered. */
  readonly record: Shown;
  /** Its group in the contract. */
  readonly group: 'Records' | 'Figures';
  readonly filters: z.ZodRawShape;
  readonly timeout_ms: number;
  /** The place in the query's cursor; null without a cursor. Refuses a cursor of another account, route or filter. */
  after(parts: Pick<ListParts, 'cursors'>, account_id: bigint, query: ListQuery): OpenedCursor | null;
  /** Reads a page; refuses a foreign cursor before anything is read. */
  page(parts: Omit<ListParts, keyof AsOfParts>, account_id: bigint, query: ListQuery): Promise<Page>;
  /** Reads the same page as of a snapshot, without the rows changed at `horizon` or later if that is given. */
  pageAsOf(
    parts: Pick<ListParts, 'cursors' | 'figureSlots'>,
    files: SnapshotFiles,
    query: ListQuery,
    horizon: bigint | undefined,
  ): Promise<Page>;
  /** Reads one record; null where the resource has no such route. */
  readonly find: ((client: ClientBase, account_id: bigint, id: bigint) => Promise<JsonObject | null>) | null;
  /** Reads one record as of a snapshot. */
  readonly findAsOf: (files: SnapshotFiles, id: bigint) => Promise<JsonObject | null>;
}

// A page reads a few hundred rows by an index. A statement that takes longer is stuck.
const LIST_TIMEOUT_MS = 10_000;

/** Reads a page, oldest change first. */
type Read<Row, Filters extends z.ZodRawShape, More extends readonly unknown[]> = (
  client: ClientBase,
  page: PageQuestion,
  filters: z.output<z.ZodObject<Filters>>,
  ...more: More
) => Promise<readonly Row[]>;

/** Reads a page as of a snapshot. */
type ReadAsOf<Row> = (
  files: SnapshotFiles,
  page: FrozenPage,
  filters: Readonly<Record<string, unknown>>,
) => Promise<readonly Row[]>;

/** Declares a resource: its fields and filters, how a page is read and how a row is converted. */
export function defineResource<Row extends Place, Shape extends Shown, Filters extends z.ZodRawShape>(
  declaration: Declaration<Row, Shape, Filters> & {
    readonly name: ListedCompanion;
    readonly read: Read<Row, Filters, []>;
  },
): Resource {
  const readAsOf: ReadAsOf<Row> = async (files, page, filters) => {
    const rows: readonly unknown[] = await readFrozenPage(files, declaration.name, page, filters);
    return rows as readonly Row[]; // the companion's columns are those of the list
  };
  return resourceOf({ ...declaration, readAsOf }, 'Records', (parts, session, read) =>
    // The horizon is read before the rows: otherwise the page would miss rows of a writer that commits in between.
    parts.inAccount({ ...session, withHorizon: true }, async (client, horizon) =>
      read(client, horizonForLists(horizon), declaration.read),
    ),
  );
}

/** Declares a resource whose rows are figures, computed for today's date by several queries at one moment. */
export function defineFigures<Row extends Place, Shape extends Shown, Filters extends z.ZodRawShape>(
  declaration: Declaration<Row, Shape, Filters> & {
    readonly read: Read<Row, Filters, [today: Day, known: KnownComparisons]>;
    readonly readAsOf: ReadAsOf<Row>;
  },
): Resource {
  return resourceOf(declaration, 'Figures', async (parts, session, read) => {
    // The horizon is read before the transaction of the rows begins. If it was read within, a change that commits in
    // between would be below the horizon but not among the rows: no page would ever have it.
    const horizon = await parts.inAccount({ ...session, withHorizon: true }, async (_, seen) =>
      horizonForLists(seen),
    );
    const known = parts.comparisons(session.account_id);
    return await inFigureMoment(parts, session, (client, today) =>
      read(client, horizon, (...parameters) => declaration.read(...parameters, today, known)),
    );
  });
}

/** The transactions in which a page is read: calls `read` with the horizon and the function that reads the rows. */
type Transact<Row, Filters extends z.ZodRawShape> = (
  parts: Pick<ListParts, keyof FigureParts | 'comparisons'>,
  session: AccountSession,
  read: (client: ClientBase, horizon: bigint, rows: Read<Row, Filters, []>) => Promise<readonly Row[]>,
) => Promise<readonly Row[]>;

function resourceOf<Row extends Place, Shape extends Shown, Filters extends z.ZodRawShape>(
  declaration: Declaration<Row, Shape, Filters> & { readonly readAsOf: ReadAsOf<Row> },
  group: Resource['group'],
  transact: Transact<Row, Filters>,
): Resource {
  const { name, component, sentence, row, filters, timeout_ms = LIST_TIMEOUT_MS } = declaration;
  const { keep, show, find, readAsOf } = declaration;
  // The route has parsed the parameters by this resource's filters.
  const own = (given: ListQuery) => withoutPage(given) as z.output<z.ZodObject<Filters>>;
  const boundTo = (account_id: bigint, given: ListQuery) => ({
    account_id,
    route: name,
    filters: own(given),
  });

  function pageOf(rows: readonly Row[], query: ListQuery, seal: (last: Row) => string): Page {
    const cut = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? cut.at(-1) : undefined;
    return {
      data: cut.filter((each) => keep?.(each, own(query)) ?? true).map(show),
      page: { next_cursor: last === undefined ? null : seal(last), has_more: last !== undefined },
    };
  }

  function after({ cursors }: Pick<ListParts, 'cursors'>, account_id: bigint, query: ListQuery) {
    return query.cursor === undefined ? null : cursors.open(boundTo(account_id, query), query.cursor);
  }

  const fields = row instanceof z.ZodObject ? row.shape : {};
  const recordShape = z.strictObject({ ...fields, ...asOfShape }).meta({
    id: `${component}Record`,
    description: `${sentence} One of these, with the snapshot that answered if one was asked for.`,
  });
  return {
    name,
    component,
    sentence,
    row,
    record: recordShape,
    group,
    filters,
    timeout_ms,
    find:
      find === undefined
        ? null
        : async (client, account_id, id) => {
            const record = await find(client, account_id, id);
            return record === null ? null : show(record);
          },
    async findAsOf(files, id) {
      const page = { after: null, rows: 1 };
      // A record is the row of its list with that id.
      const [record] = await readAsOf(files, page, { id });
      return record === undefined ? null : show(record);
    },
    after,
    async page(parts, account_id, query) {
      const place = after(parts, account_id, query);
      if (place?.snapshot_id !== undefined) throw foreignCursor();
      // One more row than requested shows whether there is a next page.
      const { limit, updated_since } = query;
      const question = { account_id, after: place, updated_since, rows: limit + 1 };
      const rows = await transact(parts, { account_id, timeout_ms }, async (client, horizon, read) => {
        // An initiative that the account cannot see is 404, not an empty list.
        await requireNamed(client, account_id, query);
        return await read(client, { ...question, horizon }, own(query));
      });
      return pageOf(rows, query, (last) => parts.cursors.seal(boundTo(account_id, query), last));
    },
    async pageAsOf(parts, files, query, horizon) {
      const { account_id, snapshot } = files;
      const place = after(parts, account_id, query);
      if (place !== null && place.snapshot_id !== snapshot.snapshot_id) throw foreignCursor();
      const { limit, updated_since } = query;
      const rows = await parts.figureSlots.run(account_id, async () => {
        const { initiative_id } = query;
        if (typeof initiative_id === 'bigint') await requireFrozenInitiative(files, initiative_id);
        return await readAsOf(files, { after: place, updated_since, horizon, rows: limit + 1 }, own(query));
      });
      return pageOf(rows, query, (last) =>
        parts.cursors.seal(boundTo(account_id, query), last, snapshot.snapshot_id),
      );
    },
  };
}

/** The filters of a list's query. */
function withoutPage({ limit: _limit, cursor: _cursor, ...filters }: ListQuery): Record<string, unknown> {
  return filters;
}

async function requireNamed(
  client: ClientBase,
  account_id: bigint,
  { initiative_id, include_sample }: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (typeof initiative_id !== 'bigint') return;
  await requireInitiative(client, account_id, { id: initiative_id, include_sample: include_sample === true });
}
