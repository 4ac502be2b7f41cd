/** The version of this program, for manifests and help texts. */
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

/** Name and version of the program, which a manifest states as the writer of the snapshot. */
export const WRITER = `${manifest.name} ${VERSION}`;
