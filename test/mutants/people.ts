/** What the commands of operators change: people, months, marks of snapshots. */
import type { Mutants } from './mutant.ts';

const PINS = 'src/snapshot/keep/pins.ts';

export const PEOPLE: Mutants = {
  'headings-absent': {
    rule: 'a heading that a file of columns names is in the file',
    file: 'src/ledger/sources/own-headings.ts',
    find: 'const absent = [...own.keys()].find((heading) => !found.has(heading));',
    replace: 'const absent = [...own.keys()].find((heading) => !found.has(heading) && found.size === 0);',
    caughtBy: ['test/ledger/sources/own-headings.test.ts'],
  },
  'headings-moved-numbers': {
    rule: 'a cell keeps its type when a heading before it is left out',
    file: 'src/ledger/sources/own-headings.ts',
    find: '    ...(numbers !== undefined && { numbers: moved(numbers) }),',
    replace: '    ...(numbers !== undefined && { numbers }),',
    caughtBy: ['test/ledger/sources/own-headings.test.ts'],
  },
  'latest-asks-again': {
    rule: 'latest is marked only while no older snapshot can be meant',
    file: 'src/commands/terminal/latest-snapshot.ts',
    find: 'if (before !== undefined && published_at + HOUR > now) {',
    replace: 'if (before !== undefined && published_at > now) {',
    caughtBy: ['test/commands/marks.test.ts'],
  },
  'month-ended': {
    rule: 'a month is closed from the hour in which it has ended anywhere, and no hour before',
    file: 'src/ledger/months.ts',
    find: "if (!(await readOne(owner, db.selectNoFrom(ended.as('ended')))).ended)",
    replace: "if (await readOne(owner, db.selectNoFrom(ended.as('ended'))).then(() => false))",
    caughtBy: ['test/commands/people/month.test.ts'],
  },
  'month-by-viewer': {
    rule: 'a viewer closes and reopens no month',
    file: 'src/ledger/months.ts',
    find: "if (role !== undefined && role !== 'viewer') return;",
    replace: 'if (role !== undefined) return;',
    caughtBy: ['test/commands/people/month.test.ts'],
  },
  'people-last-owner': {
    rule: 'an account keeps an owner',
    file: 'src/ledger/people.ts',
    find: "if (role === 'owner' && owners.length === 1) {",
    replace: "if (role === 'owner' && owners.length === 0) {",
    caughtBy: ['test/commands/people/people.test.ts'],
  },
  'people-one-after-another': {
    rule: 'two commands that change the people of an account wait for each other',
    file: 'src/ledger/people.ts',
    find: 'if ((await readFirst(owner, account.forNoKeyUpdate())) !== null) return;',
    replace: 'if ((await readFirst(owner, account)) !== null) return;',
    caughtBy: ['test/commands/people/people.test.ts'],
  },
  'people-old-tokens': {
    rule: 'a person who comes back does not bring the tokens of before to life',
    file: 'src/ledger/people.ts',
    find: `    await revokePersonalTokens(owner, account_id, user_id);
    await countRows`,
    replace: '    await countRows',
    caughtBy: ['test/commands/people/people.test.ts'],
  },
  'answer-varies-by-token': {
    rule: 'an answer to a token varies by Authorization, so that no cache gives it to another token',
    file: 'src/serve/auth/authenticate.ts',
    find: "c.res.headers.set('vary', 'Authorization');\n",
    replace: '',
    caughtBy: ['test/serve/auth/authenticate.test.ts'],
  },
  'account-without-companions': {
    rule: '--no-companion-tables leaves the companion tables out of the next snapshots',
    file: 'src/commands/actions/account.ts',
    find: '...(companionTables !== undefined && { companion_tables: companionTables }),',
    replace: '...(companionTables && { companion_tables: companionTables }),',
    caughtBy: ['test/commands/account.test.ts'],
  },
  'sign-out-needs-its-token': {
    rule: 'a sign-out form without the token of the session is refused',
    file: 'src/serve/frame/signed-in.ts',
    find: "if (wanted !== null && !isSame(form.get(FORM_TOKEN) ?? '', wanted)) {",
    replace: "if (wanted !== null && form.has(FORM_TOKEN) && !isSame(form.get(FORM_TOKEN) ?? '', wanted)) {",
    caughtBy: ['test/serve/pages/sign-in.test.ts'],
  },
  'month-warns-before': {
    rule: 'closing a month warns of the rates of the demo before the lock, also when the close is refused',
    file: 'src/commands/people/change-months.ts',
    find: 'if (await areSampleRates(owner, databases))',
    replace: 'if (!(await areSampleRates(owner, databases)))',
    caughtBy: ['test/commands/people/month.test.ts'],
  },
  'people-way-in': {
    rule: 'an invitation without a token prints the command whose token opens the pages',
    file: 'src/commands/people/change-people.ts',
    find: 'say(`to sign in to the pages: ${READ_TOKEN}',
    replace: 'void (`to sign in to the pages: ${READ_TOKEN}',
    caughtBy: ['test/commands/people/people.test.ts'],
  },
  'operator-people-tokens': {
    rule: 'people remove names the reporting token with which the person still signs in (issue 53)',
    file: 'src/commands/people/change-people.ts',
    find: '  const own = valid.filter(({ name }) => name === signInName(user_id));',
    replace: '  const own = valid.slice(0, 0);',
    caughtBy: ['test/commands/people/people.test.ts'],
  },
  'operator-pin-move': {
    rule: 'a name of a pin moves to another snapshot only with a flag (issue 53)',
    file: PINS,
    find: '      if (wanted.free === true && others.length > 0 && !isOwn) throw taken(name, others);',
    replace: '',
    caughtBy: ['test/commands/marks.test.ts'],
  },
  'operator-pin-moved': {
    rule: 'a moved pin no longer stands at the snapshot before (issue 53)',
    file: PINS,
    find: '    ended.push(earlier);',
    replace: '    return ended;',
    caughtBy: ['test/commands/marks.test.ts'],
  },
  'latest-future-head': {
    rule: 'retract latest --future-head retracts the newest snapshot',
    file: 'src/commands/actions/retract.ts',
    find: 'retractFutureHeads({ ...named, snapshot_id, by, now }, tools)',
    replace: 'retractFutureHeads({ ...named, by, now }, tools)',
    caughtBy: ['test/commands/marks.test.ts'],
  },
  'future-head-retracted': {
    rule: 'doctor fails over a newest snapshot of the future only until it is retracted as one',
    file: 'src/commands/doctor/examine.ts',
    find: 'entry === null ||\n              snapshotStatus(await readMarks(opened, account_id), entry.snapshot_id).future_head;',
    replace: 'entry === null;',
    caughtBy: ['test/commands/doctor/doctor.test.ts'],
  },
};
