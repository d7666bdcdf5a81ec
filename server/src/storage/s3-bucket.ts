import { DeleteObjectCommand, DeleteObjectsCommand, GetBucketVersioningCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { connectS3, fail, refusesCall, type S3Connection, type S3Options } from './s3-client.ts';

/** Object that is written and removed to check that the bucket is writable; it is no valid blob key. */
export const PROBE = 'write-check';

/** Deletes many objects with one call. False if the store refuses that call. */
export async function deleteTogether({ client, inTime }: S3Connection, Bucket: string, names: string[]): Promise<boolean> {
  const Delete = { Objects: names.map((Key) => ({ Key })), Quiet: true };
  const answer = await client.send(new DeleteObjectsCommand({ Bucket, Delete }), inTime()).catch((error: unknown) => {
    return refusesCall(error) ? null : fail(error);
  });
  const [failed] = answer?.Errors ?? [];
  if (failed) throw new Error(`S3 kept an object: ${failed.Code}`);
  return answer !== null;
}

/** Whether the store can delete many objects with one call, or only single ones. Throws if it cannot delete at all. */
export async function bucketDeletions(options: S3Options): Promise<'together' | 'single'> {
  using connection = connectS3(options);
  const { client, inTime } = connection;
  const names = [1, 2].map((n) => `${options.prefix}${PROBE}-${n}`);
  for (const Key of names) await client.send(new PutObjectCommand({ Bucket: options.bucket, Key, Body: 'ok' }), inTime());
  const together = await deleteTogether(connection, options.bucket, names.slice(0, 1));
  for (const Key of names) await client.send(new DeleteObjectCommand({ Bucket: options.bucket, Key }), inTime());
  return together ? 'together' : 'single';
}

/** Whether the bucket keeps deleted objects; `suspended` keeps older versions. Throws if the store does not say. */
export async function bucketVersioning(options: S3Options): Promise<'off' | 'on' | 'suspended'> {
  using connection = connectS3(options);
  const { client, inTime } = connection;
  const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket: options.bucket }), inTime());
  return Status === 'Enabled' ? 'on' : Status === 'Suspended' ? 'suspended' : 'off';
}
