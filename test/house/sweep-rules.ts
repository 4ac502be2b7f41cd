/** The rules about sweeps: leaving them out changes which tests run, and nothing else. */
import { graphOf, reachable } from './import-rules.ts';
import type { Source } from './source.ts';

const SWEEPS = 'test/support/sweeps.ts';
const PARTLY_AUDITED = 'test/snapshot/audit/partly-audited.ts';
/** What shows a snapshot to people and programs: pages, routes, the assistant, and what serves them. */
const READERS = /^src\/(?:serve|commands|run\/server)\//;
/** Says which tests run: the gate and the mutants set it, and one file reads it. */
const VARIABLE = 'CROSSFOOT_TEST_SWEEPS';
const OF_THE_VARIABLE = [SWEEPS, 'test/gate.ts', 'test/mutants/run-tests.ts', 'test/house/sweep-rules.ts'];

const IN_SWEEPS = /\b(?:it|describe)InSweeps\b/;

/** A `describe` or a file of which only sweeps are the tests fails in vitest, but only when the sweeps are left out. */
export function refuseEmptiedSuites(files: readonly Source[]): string[] {
  return files
    .filter(({ path, code }) => IN_SWEEPS.test(code) && /(?<!\.sweep)\.test\.ts$/.test(path))
    .flatMap(({ path, code, texts }) => {
      const left = withoutCalls(code, 'describeInSweeps');
      const suites = extentsOf(left, /(?<!\. )\bdescribe (?=[.(<"])/g).map((extent) => {
        const title = texts[Number(/"(\d+)" ,/.exec(extent)?.[1])] ?? '';
        return [`describe '${title}'`, extent] as const;
      });
      return [...suites, ['the file', left] as const]
        .filter(([, extent]) => isEmptied(withLocalFunctions(extent, left)))
        .map(([suite]) => `${path}: without its sweeps, ${suite} has no test`);
    });
}

/** The declaration of a sweep stands in a test file under its own name, where the rule above finds it. */
export function refuseHiddenSweeps(files: readonly Source[]): string[] {
  return files.flatMap(({ path, code, texts }) => {
    const calls = code.replaceAll(/\bimport \{[^}]*\}/g, (names) =>
      /InSweeps as /.test(names) ? names : '',
    );
    const faults: string[] = [];
    if (path !== SWEEPS && /\b(?:it|describe)InSweeps\b(?! (?:\(|\. each \())/.test(calls))
      faults.push(`${path}: gives a sweep another name`);
    if (extentsOf(calls, /\bdescribeInSweeps (?=[.(])/g).some((extent) => IN_SWEEPS.test(extent.slice(1))))
      faults.push(`${path}: declares a sweep among sweeps, which would be the only one of them to run alone`);
    if (path !== SWEEPS && !path.endsWith('.test.ts') && IN_SWEEPS.test(code))
      faults.push(`${path}: declares a sweep outside a test file`);
    if (!OF_THE_VARIABLE.includes(path) && [code, ...texts].some((text) => text.includes(VARIABLE)))
      faults.push(`${path}: behaves in another way without the sweeps, by ${VARIABLE}`);
    return faults;
  });
}

/** A snapshot that was not audited whole is read by no page and no route: they show what the whole audit found. */
export function refusePagesOfPartAudits(files: readonly Source[]): string[] {
  const next = graphOf(files, true);
  return files.flatMap(({ path }) => {
    const reached = reachable(next, path);
    const reader = [...reached].find((each) => READERS.test(each));
    return reached.has(PARTLY_AUDITED) && reader !== undefined
      ? [`${path}: reaches ${reader} and builds that are not audited whole`]
      : [];
  });
}

function isEmptied(extent: string): boolean {
  const plain = withoutCalls(extent, 'itInSweeps');
  return IN_SWEEPS.test(plain) && !/(?<!\. )\b(?:it|test) (?:\. \w+ )*[(<"]/.test(plain);
}

/** The code with nothing but the name of each call. */
function withoutCalls(code: string, name: string): string {
  return extentsOf(code, new RegExp(`\\b${name} (?=[.(])`, 'g')).reduce(
    (left, extent) => left.replace(extent, () => `${name} `),
    code,
  );
}

/** The statement that begins at each match: to its semicolon, or to where the brackets around it end. */
function extentsOf(code: string, begins: RegExp): string[] {
  return [...code.matchAll(begins)].map(({ index }) => {
    let depth = 0;
    for (const token of code.slice(index).matchAll(/(?<= )[(){}[\];](?= |$)/g)) {
      if ('([{'.includes(token[0])) depth += 1;
      else if (token[0] !== ';') depth -= 1;
      const ended = depth === 0 && (token[0] === ';' || isBodysEnd(code, index, token.index));
      if (ended || depth < 0) return code.slice(index, index + token.index);
    }
    return code.slice(index);
  });
}

/** Whether the body of a function that begins at `index` ends there: what ends before may be a type. */
function isBodysEnd(code: string, index: number, at: number): boolean {
  return code.startsWith('function ', index) && /^\} (?![{>|&[,])/.test(`${code.slice(index + at)} `);
}

/** With what the functions of the file do that it calls: they may declare tests. */
function withLocalFunctions(extent: string, code: string, seen = new Set<string>()): string {
  const called = [...extent.matchAll(/(?<!\. )\b(\w+) \(/g)].map(([, name = '']) => name);
  return called.reduce((joined, name) => {
    if (seen.has(name)) return joined;
    seen.add(name);
    const [body = ''] = extentsOf(
      code,
      new RegExp(`\\b(?:const|let) ${name} (?==)|\\bfunction ${name} (?=\\()`, 'g'),
    );
    return `${joined} ${body === '' ? '' : withLocalFunctions(body, code, seen)}`;
  }, extent);
}
