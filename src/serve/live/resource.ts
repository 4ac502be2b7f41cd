/** A resource of the read API: its route, contract and answers are made from one declaration. */
import { z } from '@hono/zod-openapi';
import type { Position } from '../../ledger/lists/keyset.ts';
import { type Cursors, foreignCursor, type OpenedCursor } from '../contract/cursor.ts';
import { type ComputedFields, recordComponent, recordAnswers } from '../contract/record-answer.ts';
import { asOfShape } from '../contract/shapes.ts';
import type { ApiRecord, RecordRow } from '../../tables/record.ts';
import type { JsonObject } from './live-answer.ts';
import type { List, ListPage, Reads, Session, Source } from './source.ts';
import type { Instant } from '../../instant.ts';

type Shown = z.ZodType<JsonObject>;

/** The parsed query of a list: the page, and the resource's own filters. */
type ListQuery = Readonly<Record<string, unknown>> & {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly updated_since?: Instant | undefined;
};

/** The envelope of every list. */
type Page = {
  data: JsonObject[];
  page: { next_cursor: string | null; has_more: boolean };
};

interface CursorParts {
  readonly cursors: Cursors;
}

interface Declaration<Row extends Position, Shape extends Shown, Filters extends z.ZodRawShape> {
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
}

/** A declared resource with any type of row. */
export interface Resource {
  readonly name: string;
  readonly component: string;
  readonly sentence: string;
  readonly row: Shown;
  /** A row as the answer of one record, with the snapshot that answered. */
  readonly recordShape: Shown;
  /** Its group in the contract. */
  readonly group: 'Records' | 'Figures';
  readonly filters: z.ZodRawShape;
  /** The place in the query's cursor; null without a cursor. Refuses a cursor of another account, route or filter. */
  after(parts: CursorParts, account_id: bigint, query: ListQuery): OpenedCursor | null;
  /** Reads a page; refuses a foreign cursor before anything is read. */
  page(parts: CursorParts, source: Source, query: ListQuery): Promise<Page>;
  /** Reads one record; null where the resource has no such route. */
  readonly record: ((source: Source, id: bigint) => Promise<JsonObject | null>) | null;
}

// A page reads a few hundred rows by an index. A statement that takes longer is stuck.
const LIST_TIMEOUT_MS = 10_000;

/** Reads a page, oldest change first. */
type Read<Row, Filters> = (reads: Reads, page: ListPage, filters: Filters) => Promise<readonly Row[]>;

/** Declares the resource of a record: its filters, how a page is read and what is computed from a row. */
export function defineResource<
  const Of extends ApiRecord & { readonly name: List<Position, unknown>['name'] },
  Row extends RecordRow<Of> & Position,
  Filters extends z.ZodRawShape,
>(
  record: Of,
  declaration: Pick<Declaration<Row, Shown, Filters>, 'sentence' | 'filters'> &
    Omit<List<Row, z.output<z.ZodObject<Filters>>>, 'name'> & {
      /** The fields of the answer that no column has; none if omitted. */
      readonly compute?: (row: Row) => ComputedFields<Of>;
    },
): Resource {
  const { name, component } = record;
  const { find, compute = () => ({}) as ComputedFields<Of>, ...rest } = declaration; // a record without computed fields
  const list: List<Row, z.output<z.ZodObject<Filters>>> = { ...declaration, name };
  const shape: Shown = recordComponent(record);
  const answer = recordAnswers(record);
  const show = (row: Row): JsonObject => answer(row, compute(row));
  const readRecord = async (source: Source, id: bigint): Promise<JsonObject | null> => {
    const found = await source.read({ timeout_ms: LIST_TIMEOUT_MS }, (reads) => reads.record(list, id));
    return found === null ? null : show(found);
  };
  return {
    ...resourceOf({
      ...rest,
      name,
      component,
      row: shape,
      show,
      read: (reads, page, filters) => reads.page(list, page, filters),
    }),
    group: 'Records',
    record: find === undefined ? null : readRecord,
  };
}

/** Declares a resource whose rows are figures, computed for the day of the source by several queries at one moment. */
export function defineFigureList<Row extends Position, Shape extends Shown, Filters extends z.ZodRawShape>(
  declaration: Declaration<Row, Shape, Filters> & {
    readonly read: Read<Row, z.output<z.ZodObject<Filters>>>;
  },
): Resource {
  return { ...resourceOf(declaration, { figures: true }), group: 'Figures', record: null };
}

function resourceOf<Row extends Position, Shape extends Shown, Filters extends z.ZodRawShape>(
  declaration: Declaration<Row, Shape, Filters> & {
    readonly read: Read<Row, z.output<z.ZodObject<Filters>>>;
  },
  session: Pick<Session, 'figures'> = {},
): Omit<Resource, 'group' | 'record'> {
  const { name, component, sentence, row, filters, timeout_ms = LIST_TIMEOUT_MS } = declaration;
  const { keep, show, read } = declaration;
  // The route has parsed the parameters by this resource's filters.
  const own = (given: ListQuery) => withoutPage(given) as z.output<z.ZodObject<Filters>>;
  const boundTo = (account_id: bigint, given: ListQuery) => ({
    account_id,
    route: name,
    filters: own(given),
  });

  function after({ cursors }: CursorParts, account_id: bigint, query: ListQuery) {
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
    recordShape,
    filters,
    after,
    async page(parts, source, query) {
      const { account_id, snapshot_id } = source;
      const place = after(parts, account_id, query);
      if (place !== null && place.snapshot_id !== snapshot_id) throw foreignCursor();
      const { limit, updated_since, initiative_id: id, include_sample } = query;
      const rows = await source.read({ ...session, timeout_ms, lists: true }, async (reads) => {
        // An initiative that the account cannot see is 404, not an empty list.
        if (typeof id === 'bigint') await reads.initiative({ id, include_sample: include_sample === true });
        // One more row than requested shows whether there is a next page.
        return await read(reads, { after: place, updated_since, rows: limit + 1 }, own(query));
      });
      const cut = rows.slice(0, limit);
      const last = rows.length > limit ? cut.at(-1) : undefined;
      return {
        data: cut.filter((each) => keep?.(each, own(query)) ?? true).map(show),
        page: {
          next_cursor:
            last === undefined ? null : parts.cursors.seal(boundTo(account_id, query), last, snapshot_id),
          has_more: last !== undefined,
        },
      };
    },
  };
}

/** The filters of a list's query. */
function withoutPage({ limit: _limit, cursor: _cursor, ...filters }: ListQuery): Record<string, unknown> {
  return filters;
}
