/** The euro reference rates. */
import type { Mutants } from './mutant.ts';

const REFRESH = 'src/run/worker/refresh-rates.ts';
const REFRESHED = ['test/run/worker/refresh-rates.test.ts'];

export const RATES: Mutants = {
  'rates-changes-cut': {
    rule: 'a hundred changes of a file of rates are told at most',
    file: 'src/ledger/convert/import-rates.ts',
    find: 'data: { changed: changed.slice(0, MAX_REPORTED), count: changed.length },',
    replace: 'data: { changed: changed, count: changed.length },',
    caughtBy: ['test/ledger/convert/import-rates.test.ts'],
  },
  'rates-faults-cut': {
    rule: 'a hundred faults of a file of rates are told at most',
    file: 'src/rates/reference-csv.ts',
    find: 'data: { faults: faults.slice(0, MAX_FAULTS) },',
    replace: 'data: { faults: faults },',
    caughtBy: ['test/rates/reference-csv.test.ts'],
  },
  'rates-full-size': {
    rule: 'a source of rates may be as large as the limit',
    file: 'src/rates/read-source.ts',
    find: 'if (length > most) throw notRead(source, `it is larger than ${most} bytes`);',
    replace: 'if (length >= most) throw notRead(source, `it is larger than ${most} bytes`);',
    caughtBy: ['test/rates/read-source.test.ts'],
  },
  'rates-import-lock': {
    rule: 'an import that another has just contradicted is refused',
    file: 'src/ledger/convert/import-rates.ts',
    find: "    await owner.query('lock table ledger.euro_reference_rates in share row exclusive mode');",
    replace: '',
    caughtBy: ['test/ledger/convert/import-rates.test.ts'],
  },
  'rates-last-day': {
    rule: 'a rate that is gone from the last day of a file contradicts',
    file: 'src/ledger/convert/import-rates.ts',
    find: `where p.currency = any ($1::text[]) and p.day between $2 and $3
    and r.units_per_euro is distinct from p.units_per_euro`,
    replace: `where p.currency = any ($1::text[]) and p.day >= $2 and p.day < $3
    and r.units_per_euro is distinct from p.units_per_euro`,
    caughtBy: ['test/ledger/convert/import-rates.test.ts'],
  },
  'rates-password': {
    rule: 'an address of rates holds no password',
    file: 'src/rates/source.ts',
    find: "if (url.protocol === 'https:' && url.username === '' && url.password === '') return { kind: 'https', url };",
    replace: "if (url.protocol === 'https:' && url.username === '') return { kind: 'https', url };",
    caughtBy: ['test/rates/read-source.test.ts'],
  },
  'rates-redirect-https': {
    rule: 'rates are not read without https, wherever an address redirects to',
    file: 'src/rates/read-source.ts',
    find: "if (url.protocol !== 'https:' || url.host !== first.host) {",
    replace: 'if (url.host !== first.host) {',
    caughtBy: ['test/rates/read-source.test.ts'],
  },
  'rates-redirects': {
    rule: 'five redirects are followed, and no sixth',
    file: 'src/rates/read-source.ts',
    find: 'for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {',
    replace: 'for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {',
    caughtBy: ['test/rates/read-source.test.ts'],
  },
  'rates-refresh-first-fault': {
    rule: 'a refused file of rates is named also where an account could not be converted',
    file: REFRESH,
    find: "if (read.status === 'rejected') throw read.reason;\n    refuseUnfinished(conversion);",
    replace: "refuseUnfinished(conversion);\n    if (read.status === 'rejected') throw read.reason;",
    caughtBy: REFRESHED,
  },
  'rates-refresh-every-currency': {
    rule: 'the entries converted are counted over every currency',
    file: REFRESH,
    find: 'const rows = currencies.reduce((sum, { written }) => sum + written, 0);',
    replace: 'const rows = currencies[0]?.written ?? 0;',
    caughtBy: REFRESHED,
  },
  'rates-refresh-says-details': {
    rule: 'a command that builds next says what a refused file of rates contradicts',
    file: REFRESH,
    find: '\n    for (const line of detailLines(failure.data)) say(line);',
    replace: '',
    caughtBy: REFRESHED,
  },
  'rates-refresh-stopped': {
    rule: 'a command that is stopped waits for no rates',
    file: REFRESH,
    find: 'const { imported, conversion } = await unlessStopped(signal, refreshing);',
    replace: 'const { imported, conversion } = await refreshing;',
    caughtBy: REFRESHED,
  },
  'rates-revise-others': {
    rule: 'a revision removes no rate of a currency that its file has no column for',
    file: 'src/ledger/convert/import-rates.ts',
    find: `\`delete from ledger.euro_reference_rates p
     where p.currency = any ($1::text[]) and p.day between $2 and $3`,
    replace: `\`delete from ledger.euro_reference_rates p
     where cardinality($1::text[]) > 0 and p.day between $2 and $3`,
    caughtBy: ['test/ledger/convert/import-rates.test.ts'],
  },
  'rates-stopped': {
    rule: 'a program that is stopped says so, not that its source of rates failed',
    file: 'src/rates/read-source.ts',
    find: '\n    signal.throwIfAborted();',
    replace: '',
    caughtBy: ['test/rates/read-source.test.ts'],
  },
  'rates-user': {
    rule: 'an address of rates holds no user',
    file: 'src/rates/source.ts',
    find: "if (url.protocol === 'https:' && url.username === '' && url.password === '') return { kind: 'https', url };",
    replace: "if (url.protocol === 'https:' && url.password === '') return { kind: 'https', url };",
    caughtBy: ['test/rates/read-source.test.ts'],
  },
  'rates-value-cut': {
    rule: 'forty characters of a faulty rate are told at most',
    file: 'src/rates/reference-csv.ts',
    find: 'faults.push({ line, column, value: value?.slice(0, MAX_SHOWN_CHARACTERS) ?? null, expected });',
    replace: 'faults.push({ line, column, value: value ?? null, expected });',
    caughtBy: ['test/rates/reference-csv.test.ts'],
  },
  'rates-zip-comment': {
    rule: 'the comment of a file is skipped',
    file: 'src/rates/zip.ts',
    find: 'at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);',
    replace: 'at += 46 + nameBytes + zip.readUInt16LE(at + 30);',
    caughtBy: ['test/rates/reference-csv.test.ts'],
  },
  'rates-zip-extra': {
    rule: 'the extra fields of a local header are skipped',
    file: 'src/rates/zip.ts',
    find: 'const from = headerAt + 30 + zip.readUInt16LE(headerAt + 26) + zip.readUInt16LE(headerAt + 28);',
    replace: 'const from = headerAt + 30 + zip.readUInt16LE(headerAt + 26);',
    caughtBy: ['test/rates/reference-csv.test.ts'],
  },
  'rates-zip-stored': {
    rule: 'a stored file of rates is no larger than the limit',
    file: 'src/rates/zip.ts',
    find: 'if (bytes.length > most) throw refused(`${name} is larger than ${most} bytes`);',
    replace: 'if (bytes.length > most * 100) throw refused(`${name} is larger than ${most} bytes`);',
    caughtBy: ['test/rates/reference-csv.test.ts'],
  },
};
