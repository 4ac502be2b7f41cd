/**
 * Facts about a view's columns that PostgreSQL's catalogue lacks: which are never null, and which texts they contain. This
 * file reads them from the view's parsed query, which marks each column that an outer join can set to null.
 */

/** Facts about a column besides its type. */
export interface ColumnFacts {
  readonly notNull: boolean;
  /** Every possible text; null if unknown. */
  readonly values: readonly string[] | null;
}

/** The facts of a column of a table or another view, by the oid of the relation. */
export type RelationFacts = (relation: number, attribute: number) => ColumnFacts;

interface Node {
  readonly tag: string;
  readonly fields: ReadonlyMap<string, Value>;
}
type Value = string | Node | readonly Value[];

const UNKNOWN: ColumnFacts = { notNull: false, values: null };
const NEVER_NULL: ColumnFacts = { notNull: true, values: null };
const TEXT_OID = 25;
/** Operators whose result is null only for null arguments. */
const TOTAL_OPERATORS = new Set(['=', '<>', '<', '>', '<=', '>=', '+', '-', '*', '/', '||', '&&']);
const RTE = { relation: '0', subquery: '1', join: '2', cte: '6', group: '9' } as const;

/** The facts of a view's columns in order; `tree` is the `ev_action` of its rule, `operators` are names by oid. */
export function viewColumns(
  tree: string,
  facts: RelationFacts,
  operators: ReadonlyMap<number, string>,
): readonly ColumnFacts[] {
  const [query] = list(parse(tree));
  return new Reader(facts, operators).columns([node(query)]);
}

class Reader {
  readonly #facts: RelationFacts;
  readonly #operators: ReadonlyMap<number, string>;

  constructor(facts: RelationFacts, operators: ReadonlyMap<number, string>) {
    this.#facts = facts;
    this.#operators = operators;
  }

  /** The facts of the columns of `queries[0]`; the further queries enclose it, the innermost first. */
  columns(queries: readonly Node[]): readonly ColumnFacts[] {
    const [query] = queries;
    if (query === undefined) throw new Error('a view without a query');
    const targets = nodes(query, 'targetList').filter((target) => text(target, 'resjunk') !== 'true');
    if (isNode(field(query, 'setOperations'))) {
      const branches = nodes(query, 'rtable')
        .filter((entry) => text(entry, 'rtekind') === RTE.subquery)
        .map((entry) => this.columns([node(field(entry, 'subquery')), ...queries]));
      return targets.map((_, at) => either(branches.map((branch) => branch[at] ?? UNKNOWN)));
    }
    return targets.map((target) => this.#expression(field(target, 'expr'), queries));
  }

  #expression(value: Value, queries: readonly Node[]): ColumnFacts {
    const each = node(value);
    const of = (name: string): ColumnFacts => this.#expression(field(each, name), queries);
    const all = (name: string): readonly ColumnFacts[] =>
      nodes(each, name).map((argument) => this.#expression(argument, queries));
    switch (each.tag) {
      case 'VAR':
        return this.#variable(each, queries);
      case 'CONST':
        return constant(each);
      case 'RELABELTYPE':
        return of('arg');
      case 'COERCETODOMAIN':
      case 'COERCEVIAIO':
        return { ...of('arg'), values: null };
      case 'FUNCEXPR':
        // A cast of a value that is not null is not null; other functions are unknown.
        return text(each, 'funcformat') === '0' ? UNKNOWN : { ...(all('args')[0] ?? UNKNOWN), values: null };
      case 'OPEXPR':
        return TOTAL_OPERATORS.has(this.#operators.get(Number(text(each, 'opno'))) ?? '')
          ? { ...either(all('args')), values: null }
          : UNKNOWN;
      case 'BOOLEXPR':
        return { ...either(all('args')), values: null };
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
        return NEVER_NULL;
      case 'COALESCEEXPR': {
        const args = all('args');
        return { notNull: args.some(({ notNull }) => notNull), values: either(args).values };
      }
      case 'CASEEXPR': {
        const results = nodes(each, 'args').map((branch) =>
          this.#expression(field(branch, 'result'), queries),
        );
        return either([...results, of('defresult')]);
      }
      case 'SUBLINK':
        // EXISTS and ARRAY(select …) return a value even without rows.
        return ['0', '6'].includes(text(each, 'subLinkType')) ? NEVER_NULL : UNKNOWN;
      default:
        return UNKNOWN;
    }
  }

  #variable(each: Node, queries: readonly Node[]): ColumnFacts {
    const found = this.#source(each, queries.slice(Number(text(each, 'varlevelsup'))));
    // `(b)` is the empty set: no outer join can set the column to null.
    return list(field(each, 'varnullingrels')).length > 1 ? { ...found, notNull: false } : found;
  }

  #source(each: Node, queries: readonly Node[]): ColumnFacts {
    const [query] = queries;
    const entry = query && nodes(query, 'rtable')[Number(text(each, 'varno')) - 1];
    if (entry === undefined) return UNKNOWN;
    const attribute = Number(text(each, 'varattno'));
    switch (text(entry, 'rtekind')) {
      case RTE.relation:
        return this.#facts(Number(text(entry, 'relid')), attribute);
      case RTE.subquery:
        return this.columns([node(field(entry, 'subquery')), ...queries])[attribute - 1] ?? UNKNOWN;
      case RTE.cte: {
        const at = Number(text(entry, 'ctelevelsup'));
        const name = text(entry, 'ctename');
        const owner = queries[at];
        const cte = owner && nodes(owner, 'cteList').find((other) => text(other, 'ctename') === name);
        if (cte === undefined || text(cte, 'cterecursive') === 'true') return UNKNOWN;
        return this.columns([node(field(cte, 'ctequery')), ...queries.slice(at)])[attribute - 1] ?? UNKNOWN;
      }
      case RTE.join:
      case RTE.group: {
        const name = text(entry, 'rtekind') === RTE.join ? 'joinaliasvars' : 'groupexprs';
        const expression = nodes(entry, name)[attribute - 1];
        return expression === undefined ? UNKNOWN : this.#expression(expression, queries);
      }
      default:
        return UNKNOWN;
    }
  }
}

/** The facts that hold for all of these alternatives. */
function either(all: readonly ColumnFacts[]): ColumnFacts {
  const values = all.map((each) => each.values);
  const known = values.every((each) => each !== null);
  return {
    notNull: all.every(({ notNull }) => notNull),
    values: known && values.length > 0 ? [...new Set(values.flat())] : null,
  };
}

function constant(each: Node): ColumnFacts {
  if (text(each, 'constisnull') === 'true') return { notNull: false, values: [] };
  if (Number(text(each, 'consttype')) !== TEXT_OID) return NEVER_NULL;
  // PostgreSQL shows the bytes of a stored text as signed numbers: four bytes of length, then the text.
  const bytes = list(field(each, 'constvalue')).slice(2, -1).map(Number);
  return { notNull: true, values: [Buffer.from(bytes.slice(4)).toString()] };
}

/** Parses PostgreSQL's text of a tree: `{TAG :field value …}`, lists in parentheses, `<>` for nothing. */
function parse(tree: string): Value {
  const tokens = tree.match(/[(){}]|(?:\\.|[^\s(){}])+/gs) ?? [];
  let at = 0;
  const value = (): Value => {
    const token = tokens[at++];
    if (token === '(') {
      const items: Value[] = [];
      while (tokens[at] !== ')') items.push(value());
      at += 1;
      return items;
    }
    if (token !== '{') return token ?? '';
    const tag = tokens[at++] ?? '';
    const fields = new Map<string, Value>();
    while (tokens[at] !== '}') {
      const name = (tokens[at++] ?? '').slice(1);
      const values: Value[] = [];
      while (tokens[at] !== '}' && tokens[at]?.startsWith(':') !== true) values.push(value());
      fields.set(name, values.length === 1 ? (values[0] ?? '') : values);
    }
    at += 1;
    return { tag, fields };
  };
  return value();
}

function isNode(value: Value): value is Node {
  return typeof value === 'object' && 'tag' in value;
}

function node(value: Value | undefined): Node {
  if (value === undefined || !isNode(value))
    throw new Error('a tree of another shape: PostgreSQL has changed it');
  return value;
}

function list(value: Value): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}

function field(each: Node, name: string): Value {
  const value = each.fields.get(name);
  if (value === undefined) throw new Error(`${each.tag} without ${name}: PostgreSQL has changed its trees`);
  return value;
}

function nodes(each: Node, name: string): readonly Node[] {
  return list(field(each, name)).filter(isNode);
}

function text(each: Node, name: string): string {
  const value = field(each, name);
  return typeof value === 'string' ? value : '';
}
