import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { readStaged, writeStaged } from '../../server/src/storage/staged-file.ts';
import { openSegments, sealSegments } from '../../server/src/vault/segments.ts';

/**
 * `bare-reader.ts <file> <sealed> <port>` seals a file, and prints the least CPU time (ms) of playing it once: its segments are read,
 * opened and sent over a socket.
 */
const [path, sealed, port] = process.argv.slice(2) as [string, string, string];
const { size } = await stat(path);
const key = randomBytes(32);
const blob = { eventId: randomUUID(), photoId: randomUUID(), variant: 'original' };
await writeStaged(sealed, sealSegments(key, blob, readStaged(path, { start: 0, end: size })));
const socket = connect(Number(port), '127.0.0.1');
await once(socket, 'connect');
const before = process.cpuUsage();
for await (const piece of openSegments(key, blob, size, (range) => readStaged(sealed, range))) {
  if (!socket.write(piece)) await once(socket, 'drain');
}
const { user, system } = process.cpuUsage(before);
socket.end();
console.log((user + system) / 1000);
