import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../testing/system.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, '../../../../tools/ceph-s3.sh');
const PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];

export interface TestS3 {
  endpoint: string;
  /** Credentials for the SDK, instead of those in the environment. */
  credentials: { accessKeyId: string; secretAccessKey: string };
  createBucket(name: string): Promise<void>;
  /** Runs radosgw-admin, for example to set quotas. */
  admin(...args: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Lists the programs that this machine lacks to start a real S3 store. */
export function missingForS3(): string[] {
  const folders = (process.env.PATH ?? '').split(':');
  return PROGRAMS.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
}

/**
 * For tests: starts Ceph's S3 gateway on free ports of this machine, with one user. `stop` ends it and removes its data. `bytes`: capacity;
 * a moment after it is used up, writes wait.
 */
export async function startS3(
  credentials = { accessKeyId: 'testaccess', secretAccessKey: 'testsecret1234567890' },
  bytes?: number,
): Promise<TestS3> {
  const [port, monitorPort] = await freePorts(2);
  // The path is short, because it contains unix sockets.
  const folder = await mkdtemp('/tmp/feierbild-s3-');
  const env = {
    ...process.env,
    S3_DIR: folder,
    S3_PORT: String(port),
    MON_PORT: String(monitorPort),
    S3_KEY: credentials.accessKeyId,
    S3_SECRET: credentials.secretAccessKey,
    ...(bytes !== undefined && { S3_BYTES: String(bytes) }),
  };
  const stop = async (): Promise<void> => {
    await run(SCRIPT, ['stop'], { env });
    await rm(folder, { recursive: true, force: true });
  };
  await run(SCRIPT, ['start'], { env }).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    credentials,
    async createBucket(name) {
      const client = new S3Client({ region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, forcePathStyle: true, credentials });
      await client.send(new CreateBucketCommand({ Bucket: name })).finally(() => client.destroy());
    },
    admin: async (...args) => void (await run('radosgw-admin', ['-c', join(folder, 'ceph.conf'), ...args])),
    stop,
  };
}
