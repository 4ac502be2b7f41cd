/** Several files as the content of one object, one after the other. */
import { asAnnounced } from '../../store/s3-body.ts';
import type { Content } from '../../store/store.ts';
import { digest } from '../format/digest.ts';

export interface NamedContent {
  readonly name: string;
  readonly content: Content;
}

/** The content of all files; throws if a file has other bytes than it announced. */
export async function packContent(files: readonly NamedContent[]): Promise<Content> {
  async function* open(): AsyncGenerator<Uint8Array> {
    for (const { content } of files) yield* asAnnounced(content);
  }
  const { size_bytes: size, sha256 } = await digest(open());
  return { size, sha256, open };
}
