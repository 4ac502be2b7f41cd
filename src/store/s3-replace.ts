/** Replaces an object in a bucket, on the condition that it still has the version that was read. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { answerOf, failureOf } from './s3-answers.ts';
import { type BucketClients, withFreshSignature } from './s3-client.ts';
import { type CreateOptions, createObject, encryption } from './s3-create.ts';

/** The version that is replaced is an entity tag; null: no object may have the key. */
export async function replaceObject(
  clients: BucketClients,
  place: { readonly Bucket: string; readonly Key: string },
  { body, version }: { readonly body: Uint8Array; readonly version: string | null },
  options: CreateOptions,
): Promise<'changed' | 'replaced'> {
  if (version === null) {
    return (await createObject(clients, place, body, options)) === 'created' ? 'replaced' : 'changed';
  }
  const command = new PutObjectCommand({
    ...place,
    ...encryption(options.encryption),
    Body: body,
    IfMatch: version,
  });
  try {
    await withFreshSignature(clients.once, (client) => client.send(command));
    return 'replaced';
  } catch (error) {
    // A bucket answers 404 if the object is gone.
    const answer = answerOf(error);
    if (answer === 'stands' || answer === 'absent') return 'changed';
    throw failureOf(error, 'replace');
  }
}
