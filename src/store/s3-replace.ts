/** Replaces an object in a bucket, on the condition that it still has the version that was read. */
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { answerOf, storeError } from './s3-answers.ts';
import { type BucketClients, withFreshSignature } from './s3-client.ts';
import { type CreateOptions, createObject, encryption, type Place } from './s3-create.ts';

/** The version that is replaced is an entity tag; null: no object may have the key. */
export async function replaceObject(
  clients: BucketClients,
  place: Place,
  { body, version }: { readonly body: Uint8Array; readonly version: string | null },
  options: CreateOptions,
): Promise<'changed' | 'replaced'> {
  if (version === null) {
    return (await createObject(clients, place, body, options)) === 'created' ? 'replaced' : 'changed';
  }
  const replace = async (IfMatch: string): Promise<'changed' | 'replaced'> => {
    const command = new PutObjectCommand({
      ...place,
      ...encryption(options.encryption),
      Body: body,
      IfMatch,
    });
    const sent = withFreshSignature(clients.once, (client) => client.send(command));
    return (await unlessChanged(sent)) === null ? 'changed' : 'replaced';
  };
  if ((await replace(version)) === 'replaced') return 'replaced';
  // Ceph 16 compares the tag with its quotes, which never equals: ask without them if the object has not changed.
  const head = clients.again.send(new HeadObjectCommand(place));
  if ((await unlessChanged(head))?.ETag !== version) return 'changed';
  return await replace(version.replaceAll('"', ''));
}

/** The answer; null if the object has another version, or if it is gone, which a bucket answers with 404. */
async function unlessChanged<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (['absent', 'stands'].includes(answerOf(error))) return null;
    throw storeError(error, 'replace');
  }
}
