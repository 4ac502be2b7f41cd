/** Finds a key that stands twice in an object of JSON: the usual readers keep the last value and say nothing. */

/** The first key that stands twice in one object, at any depth; null if there is none. A text that is no JSON gives null, too. */
export function repeatedKey(text: string): string | null {
  // With one colon there is one key.
  if (text.indexOf(':') === text.lastIndexOf(':')) return null;
  // The keys of each object that is open; null for an open list.
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(null);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      if (end === -1) return null;
      if (isKey(text, end)) {
        const key = unescaped(text.slice(at + 1, end));
        const keys = open.at(-1);
        if (keys?.has(key) === true) return key;
        keys?.add(key);
      }
      at = end;
    }
  }
  return null;
}

/** `"a"` and `"\\u0061"` are one key. */
function unescaped(key: string): string {
  if (!key.includes('\\')) return key;
  try {
    return String(JSON.parse(`"${key}"`));
  } catch {
    return key;
  }
}

/** The index of the quote that closes the string which begins at `start`; -1 if none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

/** True if a colon follows the string that ends there. */
function isKey(text: string, end: number): boolean {
  let next = end + 1;
  while (text[next] === ' ' || text[next] === '\t' || text[next] === '\n' || text[next] === '\r') next += 1;
  return text[next] === ':';
}
