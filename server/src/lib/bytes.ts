/** Bytes in memory. A Buffer is an instance. */
export type Bytes = Uint8Array<ArrayBufferLike>;
