import { createPhone } from './phone.ts';

/** A file in pieces that many files share: copies, gigabytes in all, kept this process's garbage collector busy on the server's cores. */
export type BenchFile = readonly Uint8Array[];

/** Uploads as phones send them, with as little work as possible on this side. */
export interface Load {
  url: string;
  code: string;
  /** A device for each connection, or fewer that take turns. */
  devices: string[];
  connections: number;
  /** Files, taken one by one when a connection is free. */
  files: Iterable<BenchFile>;
}

export interface LoadResult {
  seconds: number;
  perSecond: number;
  statuses: Record<number, number>;
}

/** Sends every file once over `connections` keep-alive connections. */
export async function runLoad({ url, code, devices, connections, files }: Load): Promise<LoadResult> {
  const phone = createPhone(url, connections);
  const statuses: Record<number, number> = {};
  const left = Iterator.from(files);
  let sent = 0;
  const started = performance.now();
  const connection = async (at: number): Promise<void> => {
    const device = devices[at % devices.length] as string;
    for (let next = left.next(); !next.done; next = left.next()) {
      const headers = { ...HEADERS, 'device-id': device, 'event-code': code };
      const { status } = await phone.ask('POST', '/upload', headers, form(code, sent++, next.value));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, at) => connection(at)));
  const seconds = (performance.now() - started) / 1000;
  phone.close();
  return { seconds, perSecond: sent / seconds, statuses };
}

/** A boundary as long as a browser's. */
const BOUNDARY = '----WebKitFormBoundaryFeierbildBench01';
const HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'device-name': 'Anna' };

function form(code: string, n: number, file: BenchFile): Uint8Array[] {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="IMG_${n}.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  const tail =
    `\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="eventCode"\r\n\r\n${code}` +
    `\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="deviceName"\r\n\r\nAnna\r\n--${BOUNDARY}--\r\n`;
  return [Buffer.from(head), ...file, Buffer.from(tail)];
}

/** Makes `count` different files out of a few pictures: decoders pass over bytes behind a JPEG's end. */
export function manyOf(pictures: Uint8Array[], count: number, name = ''): BenchFile[] {
  return Array.from(endlessly(pictures, name).take(count));
}

/** Yields different files out of a few pictures without an end. */
export function* endlessly(pictures: Uint8Array[], name = ''): Generator<BenchFile, never> {
  for (let n = 0; ; n++) yield [pictures[n % pictures.length] as Uint8Array, Buffer.from(`#${name}${n}`)];
}
