import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from 'vitest';
import { startS3, type TestS3 } from './s3.ts';

export interface UsedS3 {
  readonly endpoint: string;
  readonly client: S3Client;
  admin: TestS3['admin'];
  /** Creates a bucket and returns its name. */
  freshBucket(): Promise<string>;
}

/** Starts a real S3 store before the tests of a suite, and ends it after them. The server's stores use its user's credentials. */
export function useS3(): UsedS3 {
  let store: TestS3;
  let client: S3Client;
  let buckets = 0;

  beforeAll(async () => {
    store = await startS3();
    process.env.AWS_ACCESS_KEY_ID = store.credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = store.credentials.secretAccessKey;
    client = new S3Client({ region: 'us-east-1', endpoint: store.endpoint, forcePathStyle: true });
  });
  afterAll(async () => {
    client?.destroy();
    await store?.stop();
  });

  return {
    get endpoint() {
      return store.endpoint;
    },
    get client() {
      return client;
    },
    admin: (...args) => store.admin(...args),
    async freshBucket() {
      const name = `photos-${++buckets}`;
      await store.createBucket(name);
      return name;
    },
  };
}
