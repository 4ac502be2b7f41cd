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
    body: `The ledger holds the records of the accounts. \`npx crossfoot load\` fills these tables from CSV files that are named after them; see
[load the ledger](../articles/load-the-ledger.md). Snapshots contain the [reporting tables](../articles/reporting-tables.md).

A \`?\` marks a column that may be empty. A column with a default may be left out of a file.

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

function section({ name, meaning, key, columns }: LedgerTables['tables'][number]): string {
  const rows = columns.map((column) => [
    `\`${column.name}\``,
    `${column.type}${column.nullable ? '?' : ''}`,
    key.includes(column.name) ? 'yes' : '',
    codes(column.references),
    meaningOf(column),
  ]);
  return `## ${name}

${meaning === '' ? '' : `${meaning}\n\n`}${markdownTable(['column', 'type', 'key', 'references', 'meaning'], rows)}`;
}

function meaningOf({ meaning, values, written }: LedgerTables['tables'][number]['columns'][number]): string {
  return [
    ...(meaning === '' ? [] : [sentence(meaning)]),
    ...(values.length === 0 ? [] : [`One of ${codes(values)}.`]),
    ...(written === 'given'
      ? []
      : [written === 'default' ? 'It has a default.' : 'Generated: it cannot be loaded.']),
  ].join(' ');
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.]$/.test(capital) || capital === '' ? capital : `${capital}.`;
}
