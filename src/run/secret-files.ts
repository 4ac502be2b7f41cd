/** Secrets in files, as containers mount them: `SECRET_KEYS_FILE` names the file that holds `SECRET_KEYS`. */
import { readFileSync } from 'node:fs';
import { readSettings, type Setting, SETTINGS, type Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of an environment, whose secrets may stand in files. */
export function openEnvironment(env: Environment): Settings {
  return readSettings(readSecretFiles(env));
}

/** The environment with each secret that a file holds, without the name of the file. One error names all faults. */
export function readSecretFiles(env: Environment): Environment {
  const read: Record<string, string | undefined> = { ...env };
  const faults: string[] = [];
  for (const [name, { secret }] of Object.entries<Setting>(SETTINGS)) {
    const path = env[`${name}_FILE`]?.trim() ?? '';
    if (secret !== true || path === '') continue;
    const value = read[name]?.trim() ?? '';
    const content = value === '' ? contentOf(path) : null;
    if (value !== '') faults.push(`${name} and ${name}_FILE are both set`);
    else if (content === null) faults.push(`${name}_FILE names ${path}, which cannot be read`);
    else if (content === '') faults.push(`${name}_FILE names ${path}, which is empty`);
    read[name] = content ?? value;
    read[`${name}_FILE`] = undefined;
  }
  if (faults.length === 0) return read;
  throw new CrossfootError('settings_invalid', `${faults.join('; ')}.`, {
    hint: 'Set each secret once: as a variable, or as the path of a file that this user can read.',
    data: { faults },
  });
}

/** The text of a file without the space around it; null if it cannot be read. */
function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
