import { Agent, request } from 'node:http';

/** Uploads as a phone does, with as little work on this side as possible: the body is sent from buffers made before. */
export interface Load {
  url: string;
  code: string;
  /** One for each connection, or fewer that take turns. */
  devices: string[];
  connections: number;
  /** Each is asked for when a connection is free for it. */
  files: Iterable<Uint8Array>;
}

export interface LoadResult {
  seconds: number;
  perSecond: number;
  statuses: Record<number, number>;
}

/** Sends every file once over `connections` keep-alive connections. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const statuses: Record<number, number> = {};
  const files = Iterator.from(load.files);
  let sent = 0;
  const started = performance.now();
  const connection = async (at: number): Promise<void> => {
    const device = load.devices[at % load.devices.length] as string;
    for (let next = files.next(); !next.done; next = files.next()) {
      const status = await send(agent, { ...load, device }, next.value, sent++);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: load.connections }, (_, at) => connection(at)));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return { seconds, perSecond: sent / seconds, statuses };
}

function send(agent: Agent, load: { url: string; code: string; device: string }, file: Uint8Array, n: number): Promise<number> {
  const boundary = 'feierbild-bench';
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="IMG_${n}.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`,
  );
  const tail = Buffer.from(
    `\r\n--${boundary}\r\ncontent-disposition: form-data; name="eventCode"\r\n\r\n${load.code}` +
      `\r\n--${boundary}\r\ncontent-disposition: form-data; name="deviceName"\r\n\r\nAnna\r\n--${boundary}--\r\n`,
  );
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${load.url}/upload`,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': head.length + file.length + tail.length,
          'device-id': load.device,
          'event-code': load.code,
          'device-name': 'Anna',
        },
      },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
        answer.once('error', reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.write(head);
    outgoing.write(file);
    outgoing.end(tail);
  });
}

/** `count` different files out of a few pictures: bytes behind a JPEG's end are passed over by decoders. */
export function manyOf(pictures: Uint8Array[], count: number, name = ''): Uint8Array[] {
  return Array.from(endlessly(pictures, name).take(count));
}

/** The same, each when it is asked for, without an end. */
export function* endlessly(pictures: Uint8Array[], name = ''): Generator<Uint8Array, never> {
  for (let n = 0; ; n++) yield Buffer.concat([pictures[n % pictures.length] as Uint8Array, Buffer.from(`#${name}${n}`)]);
}
