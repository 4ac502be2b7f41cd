/**
 * Tests if a bucket computes the SHA-256 of what it receives, as S3 does. Some work-alikes keep the header that they were sent
 * without a look at the bytes, and others forget it.
 */
import { createHash } from 'node:crypto';
import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { answerOf } from './s3-answers.ts';
import { type CreateOptions, encryption, type Place, signDigest } from './s3-create.ts';

/**
 * True if the bucket refuses bytes with a wrong SHA-256, although their signature is right, and states the right one in its
 * answer and to a later question. An answer that does not come proves nothing. The caller deletes both objects.
 */
export async function computesDigests(
  client: S3Client,
  wrong: Place,
  right: Place,
  options: CreateOptions,
): Promise<boolean> {
  if (options.checksums !== 'stored') return false;
  const body = Buffer.from('bytes of the self-test');
  const sha256 = createHash('sha256').update(body).digest();
  const announced = sha256.toString('base64');
  const put = async (place: Place, ChecksumSHA256: string): Promise<string | undefined> => {
    const command = new PutObjectCommand({
      ...place,
      ...encryption(options.encryption),
      IfNoneMatch: '*',
      Body: body,
      ChecksumSHA256,
    });
    signDigest(command, sha256.toString('hex'));
    return (await client.send(command)).ChecksumSHA256;
  };
  const statedLater = async (place: Place): Promise<string | undefined> =>
    (await client.send(new HeadObjectCommand({ ...place, ChecksumMode: 'ENABLED' }))).ChecksumSHA256;
  try {
    const others = createHash('sha256').update('other bytes').digest('base64');
    if ((await answerTo(put(wrong, others))) !== 'damaged') return false;
    if ((await answerTo(statedLater(wrong))) !== 'absent') return false;
    return (await put(right, announced)) === announced && (await statedLater(right)) === announced;
  } catch {
    return false; // the bucket does not know the headers, or did not answer
  }
}

/** How the bucket refused a request; null if it did not. */
async function answerTo(asked: Promise<unknown>): Promise<ReturnType<typeof answerOf> | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    return answerOf(error);
  }
}
