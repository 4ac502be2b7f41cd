/** A resource of the read API: one declaration from which its route, its contract and its answers are made. */
import type { z } from '@hono/zod-openapi';
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import type { AccountSession } from '../../ledger/account-session.ts';
import { readHorizon } from '../../ledger/lists/horizon.ts';
import type { PageQuestion, Place } from '../../ledger/lists/keyset.ts';
import { requireInitiative } from '../../ledger/lists/require-initiative.ts';
import type { Cursors } from './cursor.ts';
import { type FigureParts, inFigureMoment } from './figure-moment.ts';
import type { JsonObject } from './live-answer.ts';

type Shown = z.ZodType<JsonObject>;

/** What a list was asked for, parsed: the page, and the resource's own filters. */
type Asked = Readonly<Record<string, unknown>> & {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly updated_since?: bigint | undefined;
};

/** The envelope of every list. */
type Page = {
  data: JsonObject[];
  page: { next_cursor: string | null; has_more: boolean };
};

/** What lists are answered with. */
export interface ListParts extends FigureParts {
  readonly cursors: Cursors;
}

interface Declaration<Row extends Place, Shape extends Shown, Filters extends z.ZodRawShape> {
  /** Its path, and the stem of what it is called in the contract. */
  readonly name: string;
  /** What a row is called in the contract: `CostEntry`. */
  readonly component: string;
  /** What the list holds, as one sentence. */
  readonly sentence: string;
  /** Every field with its meaning. */
  readonly row: Shape;
  /** The query parameters it takes beside `limit` and `cursor`. */
  readonly filters: Filters;
  /** The longest that one of its statements may take. */
  readonly timeout_ms?: number;
  /** False leaves a row out of a page that was cut already; without it every row stays. */
  readonly keep?: (row: Row, filters: z.output<z.ZodObject<Filters>>) => boolean;
  /** A row as it is served. */
  readonly show: (row: Row) => z.output<Shape>;
  /** Reads one record for the route `/name/{id}`; without it there is none. Null: the account cannot see it. */
  readonly find?: (client: ClientBase, account_id: bigint, id: bigint) => Promise<Row | null>;
}

/** A declared resource, whatever its rows. */
export interface Resource {
  readonly name: string;
  readonly component: string;
  readonly sentence: string;
  readonly row: Shown;
  /** Where the contract shows it: among what is recorded, or among what is computed. */
  readonly group: 'Records' | 'Figures';
  readonly filters: z.ZodRawShape;
  readonly timeout_ms: number;
  /** Reads a page; a cursor that is not its own is refused before anything is read. */
  page(parts: ListParts, account_id: bigint, asked: Asked): Promise<Page>;
  /** Reads one record; null where no route shows one. */
  readonly find: ((client: ClientBase, account_id: bigint, id: bigint) => Promise<JsonObject | null>) | null;
}

// A page reads some hundred rows of an index; what takes longer than this is stuck.
const LIST_TIMEOUT_MS = 10_000;

/** Reads a page, oldest change first. */
type Read<Row, Filters extends z.ZodRawShape, More extends readonly unknown[]> = (
  client: ClientBase,
  page: PageQuestion,
  filters: z.output<z.ZodObject<Filters>>,
  ...more: More
) => Promise<readonly Row[]>;

/** Declares a resource: its fields, its filters, how a page is read and how a row is shown. */
export function defineResource<Row extends Place, Shape extends Shown, Filters extends z.ZodRawShape>(
  declaration: Declaration<Row, Shape, Filters> & { readonly read: Read<Row, Filters, []> },
): Resource {
  return resourceOf(declaration, 'Records', (parts, session, read) =>
    parts.inAccount(session, async (client) => {
      // Before any row is looked at: rows first would pass over a writer who commits in between.
      const horizon = await readHorizon(client);
      return await read(client, horizon, declaration.read);
    }),
  );
}

/** Declares a resource whose rows are figures, worked out for the day it is from several queries at one moment. */
export function defineFigures<Row extends Place, Shape extends Shown, Filters extends z.ZodRawShape>(
  declaration: Declaration<Row, Shape, Filters> & { readonly read: Read<Row, Filters, [today: Day]> },
): Resource {
  return resourceOf(declaration, 'Figures', async (parts, session, read) => {
    // Before the moment begins: asked within it, a writer who commits between the two would be in neither.
    const horizon = await parts.inAccount(session, readHorizon);
    return await inFigureMoment(parts, session, (client, today) =>
      read(client, horizon, (...asked) => declaration.read(...asked, today)),
    );
  });
}

/** In which transactions a page is read: calls `read` with the horizon, and with what reads the rows. */
type Transact<Row, Filters extends z.ZodRawShape> = (
  parts: ListParts,
  session: AccountSession,
  read: (client: ClientBase, horizon: bigint, rows: Read<Row, Filters, []>) => Promise<readonly Row[]>,
) => Promise<readonly Row[]>;

function resourceOf<Row extends Place, Shape extends Shown, Filters extends z.ZodRawShape>(
  declaration: Declaration<Row, Shape, Filters>,
  group: Resource['group'],
  transact: Transact<Row, Filters>,
): Resource {
  const { name, component, sentence, row, filters, timeout_ms = LIST_TIMEOUT_MS } = declaration;
  const { keep, show, find } = declaration;
  return {
    name,
    component,
    sentence,
    row,
    group,
    filters,
    timeout_ms,
    find:
      find === undefined
        ? null
        : async (client, account_id, id) => {
            const found = await find(client, account_id, id);
            return found === null ? null : show(found);
          },
    async page(parts, account_id, { limit, cursor, ...given }) {
      const bound = { account_id, route: name, filters: given };
      const after = cursor === undefined ? null : parts.cursors.open(bound, cursor);
      // The route has parsed its parameters by this resource's own filters.
      const own = given as z.output<z.ZodObject<Filters>>;
      // One row more than asked for tells whether there is a next page.
      const question = { account_id, after, updated_since: given.updated_since, rows: limit + 1 };
      const found = await transact(parts, { account_id, timeout_ms }, async (client, horizon, read) => {
        // An initiative that cannot be seen is no empty list.
        await requireNamed(client, account_id, given);
        return await read(client, { ...question, horizon }, own);
      });
      const cut = found.slice(0, limit);
      const last = found.length > limit ? cut.at(-1) : undefined;
      return {
        data: cut.filter((each) => keep?.(each, own) ?? true).map(show),
        page: {
          next_cursor: last === undefined ? null : parts.cursors.seal(bound, last),
          has_more: last !== undefined,
        },
      };
    },
  };
}

async function requireNamed(
  client: ClientBase,
  account_id: bigint,
  { initiative_id, include_sample }: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (typeof initiative_id !== 'bigint') return;
  await requireInitiative(client, account_id, { id: initiative_id, include_sample: include_sample === true });
}
