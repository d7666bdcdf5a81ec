/** Bytes in memory. A Buffer is one. */
export type Bytes = Uint8Array<ArrayBufferLike>;
