/** The select of a record of the read API, made from its declaration. */
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { db } from '../../database/query.ts';
import type { Database } from '../../database/schema.ts';
import type { ApiRecord, RecordColumn, RecordRow } from '../../tables/record.ts';

/** A record with its view as the ledger has it. */
type Viewed = ApiRecord & { readonly view: keyof Database };

type ViewRow<Of extends Viewed> = Selectable<Database[Of['view']]>;

/** The columns that the view lacks, or has with values of another type; JSON and SQL expressions are not compared. */
type Misread<Of extends Viewed> = {
  [Each in RecordColumn<Of> as Each['name']]: null extends Each['from']
    ? Each['name'] extends keyof ViewRow<Of>
      ? NonNullable<ViewRow<Of>[Each['name']]> extends NonNullable<
          RecordRow<Of>[Each['name'] & keyof RecordRow<Of>]
        >
        ? never
        : Each['name']
      : Each['name']
    : never;
}[RecordColumn<Of>['name']];

/** Selects the rows of every account, with the columns of the record and `more` of its view. */
export function selectRecord<Of extends Viewed, More extends keyof ViewRow<Of> & string = never>(
  record: Of & ([Misread<Of>] extends [never] ? unknown : { readonly misread: Misread<Of> }),
  more: readonly More[] = [],
) {
  const columns = record.columns.map(({ name, from }) => sql`${sql.raw(from ?? name)}`.as(name));
  const selected = db
    .selectFrom(record.view)
    .select([...columns, ...more.map((name) => sql.ref(name).as(name))] as never[]);
  return selected as unknown as SelectQueryBuilder<
    Database,
    Of['view'],
    RecordRow<Of> & Pick<ViewRow<Of>, More>
  >; // the columns of the record
}
