/** Builds boxes of MP4 for tests. */

export function u32(...values: number[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

export function box(type: string, ...content: Uint8Array[]): Buffer<ArrayBuffer> {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/** Copies the boxes with other contents for the named ones. */
export function redrawn(bytes: Buffer, contents: Record<string, (before: Buffer) => Uint8Array>): Buffer<ArrayBuffer> {
  const boxes: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, end);
    const redraw = contents[type];
    boxes.push(box(type, redraw ? redraw(content) : CONTAINERS.includes(type) ? redrawn(content, contents) : content));
    at = end;
  }
  return Buffer.concat(boxes);
}
