/** The version of this program, for manifests and help texts. */
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

/** Name and version: the writer of a snapshot. */
export const WRITER = `${manifest.name} ${VERSION}`;
