/** A table that can be loaded: its columns and rules, and how a file may name its rows. */

export interface LoadColumn {
  readonly name: string;
  readonly type: string;
  /** The type below a domain; the type itself otherwise. */
  readonly base: string;
  /** The check of the domain, as SQL; null if there is none. */
  readonly rule: string | null;
  /** The check in words: the comment on the domain, if it has one. */
  readonly rule_in_words: string | null;
  readonly notNull: boolean;
  /** The default as an SQL expression. */
  readonly default: string | null;
  /** The expression of a generated column. */
  readonly generated: string | null;
  readonly identity: boolean;
  /** A text column that holds canonical JSON. */
  readonly json: boolean;
  /** What a cell holds, for people. */
  readonly meaning: string | null;
}

export interface LoadUnique {
  readonly columns: readonly string[];
  readonly nullsDistinct: boolean;
}

export interface LoadCheck {
  readonly name: string;
  readonly columns: readonly string[];
  readonly expression: string;
  /** The expression in words: the comment on the constraint, if it has one. */
  readonly rule_in_words: string | null;
}

export interface LoadReference {
  readonly columns: readonly string[];
  /** Schema and name, separated by a dot. */
  readonly target: string;
  readonly targetColumns: readonly string[];
  /** True if at least one of the columns may be empty. */
  readonly optional: boolean;
  /** True if a row is deleted with the row that it refers to. */
  readonly cascades: boolean;
}

export interface LoadTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly LoadColumn[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
  readonly uniques: readonly LoadUnique[];
  readonly checks: readonly LoadCheck[];
  readonly references: readonly LoadReference[];
  /** Columns that a file may have instead of a reference's id. */
  readonly spellings: readonly Spelling[];
  /** Triggers that complete a row from its own values before it is written, in the order they fire. */
  readonly settlers: readonly { readonly name: string; readonly fires: string }[];
  /** True if the ledger's triggers refuse any change of a written row. */
  readonly immutable: boolean;
}

/** A column of a file that names a row of another table, instead of the column with the id of that row. */
export interface Spelling {
  /** The column of the file. */
  readonly name: string;
  /** The column of the table that it fills with an id. */
  readonly column: string;
  /** The table of the named row: schema and name, separated by a dot. */
  readonly target: string;
  /** The column by which the row is found; `load_ref` is compared within one source, `email` is a person's address. */
  readonly by: string;
  /** True if blanks around the name and upper or lower case make no difference. */
  readonly loose: boolean;
  /** What the cell holds, for people. */
  readonly meaning: string;
}
