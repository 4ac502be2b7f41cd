/** Reading a source file for what the house rules ask: its imports, its texts, and its code without comments. */
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner';

interface Import {
  readonly from: string;
  /** Erased before anything runs, so it cannot make a run-time cycle or give a capability. */
  readonly typeOnly: boolean;
  /** `export … from`: handing on what lives elsewhere. */
  readonly handsOn: boolean;
  /** `import(…)`: loaded when it is asked for. */
  readonly later: boolean;
}

export interface Source {
  readonly path: string;
  readonly lines: number;
  /** Tokens with one blank between them; each text is replaced by its number in `texts`, in quotes. */
  readonly code: string;
  /** Every string and the beginning of every template, unescaped. */
  readonly texts: readonly string[];
  readonly imports: readonly Import[];
}

const TEXTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
]);

/** After one of these a slash divides; after anything else it begins a regular expression. */
const ENDS_A_VALUE: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
]);

/** What the rules need to know of one TypeScript file. */
export function readSource(path: string, text: string): Source {
  const tokens: string[] = [];
  const texts: string[] = [];
  const scanner = createScanner(true, undefined, text);
  const braces: ('block' | 'template')[] = [];
  let before = SyntaxKind.Unknown;
  for (;;) {
    const kind = nextToken(scanner, before, braces);
    if (kind === SyntaxKind.EndOfFile) break;
    if (TEXTS.has(kind)) tokens.push(`"${texts.push(scanner.getTokenValue()) - 1}"`);
    else if (kind === SyntaxKind.RegularExpressionLiteral) tokens.push('/regex/');
    else if (kind === SyntaxKind.TemplateMiddle || kind === SyntaxKind.TemplateTail) tokens.push('`');
    else tokens.push(scanner.getTokenText());
    before = kind;
  }
  const code = tokens.join(' ');
  return { path, lines: text.split('\n').length - 1, code, texts, imports: importsOf(code, texts) };
}

/** The scanner knows no grammar: what a slash and a closing brace mean is told to it here. */
function nextToken(scanner: Scanner, before: SyntaxKind, braces: ('block' | 'template')[]): SyntaxKind {
  const kind = scanner.scan();
  if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) {
    return ENDS_A_VALUE.has(before) ? kind : scanner.reScanSlashToken();
  }
  if (kind === SyntaxKind.OpenBraceToken) braces.push('block');
  if (kind === SyntaxKind.TemplateHead) braces.push('template');
  if (kind !== SyntaxKind.CloseBraceToken || braces.pop() !== 'template') return kind;
  const rest = scanner.reScanTemplateToken(false);
  if (rest === SyntaxKind.TemplateMiddle) braces.push('template');
  return rest;
}

function importsOf(code: string, texts: readonly string[]): Import[] {
  const found: Import[] = [];
  for (const match of code.matchAll(/\b(import|export) (type )?[^;"()=]*?from "(\d+)"/g)) {
    const from = texts[Number(match[3])] ?? '';
    found.push({ from, typeOnly: match[2] !== undefined, handsOn: match[1] === 'export', later: false });
  }
  for (const match of code.matchAll(/\bimport (\( )?"(\d+)"/g)) {
    const from = texts[Number(match[2])] ?? '';
    found.push({ from, typeOnly: false, handsOn: false, later: match[1] !== undefined });
  }
  return found;
}
