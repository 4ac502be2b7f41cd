/** The reference page of the ledger's tables, made from the committed description. */
import type { LedgerTables } from './ledger-tables.ts';
import { markdownTable, type ReferencePage } from './reference-page.ts';
import { codes } from '../../src/serve/contract/api-shape.ts';

/** One page with a section for each table; its id and slug never change. */
export function ledgerPage({ tables, types }: LedgerTables): ReferencePage {
  return {
    id: 1206,
    slug: 'ledger-tables',
    theme: 'Reference',
    title: 'Tables of the ledger',
    summary: 'Every table of the ledger, with its columns, types, key and references.',
    body: `The ledger holds the records of the accounts. \`npx --no crossfoot load\` fills these tables from CSV files that are named after them; see
[load the ledger](../articles/load-the-ledger.md). Snapshots contain the [reporting tables](../articles/reporting-tables.md).

A \`?\` marks a column that may be empty. \`npx --no crossfoot load --describe <table>\` prints the same for one table.

${markdownTable(
  ['table', 'columns', 'key'],
  tables.map(({ name, columns, key }) => [`\`${name}\``, String(columns.length), codes(key)]),
)}
${tables.map(section).join('\n')}
## Types

${markdownTable(
  ['type', 'in PostgreSQL', 'meaning'],
  types.map(({ name, base, meaning }) => [`\`${name}\``, `\`${base}\``, sentence(meaning)]),
)}`,
  };
}

type Table = LedgerTables['tables'][number];

function section({ name, meaning, key, columns, file }: Table): string {
  const inFile = new Map(file.map((described) => [described.name, described]));
  const rows = columns.map((column) => {
    const { need, allowed, example } = inFile.get(column.name) ?? SET_BY_LEDGER;
    return [
      `\`${column.name}\``,
      `${column.type}${column.nullable ? '?' : ''}${key.includes(column.name) ? ', key' : ''}`,
      file.length === 0 ? '' : need,
      allowed,
      example === '' ? '' : `\`${example}\``,
      meaningOf(column),
    ];
  });
  const own = new Set(columns.map((column) => column.name));
  const more = file
    .filter((described) => !own.has(described.name))
    .map(({ name: added, need, allowed, example, meaning: said }) => [
      `\`${added}\``,
      need,
      allowed,
      `\`${example}\``,
      sentence(said),
    ]);
  const header = ['column', 'type', 'in a file', 'allowed', 'example', 'meaning'];
  const moreOf = (): string =>
    `\nColumns of a file only:\n\n${markdownTable(['only in a file', 'need', 'allowed', 'example', 'meaning'], more)}`;
  return `## ${name}

${meaning === '' ? '' : `${meaning}\n\n`}${markdownTable(header, rows)}${more.length === 0 ? '' : moreOf()}`;
}

/** The description of a column that no file may have. */
const SET_BY_LEDGER = { need: 'set by the ledger', allowed: '', example: '' };

function meaningOf({ name, meaning, references, written }: Table['columns'][number]): string {
  return [
    sentence(meaning),
    // Nearly every key includes the account.
    ...(references.length === 0 || name === 'account_id' ? [] : [`Refers to ${codes(references)}.`]),
    ...(written === 'default' ? ['It has a default.'] : []),
  ].join(' ');
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.]$/.test(capital) || capital === '' ? capital : `${capital}.`;
}
