import { sparseFile, type SparseFile } from '../video/sparse-file.ts';

/** Wraps bytes as a file for tests. */
export const wholeFile = (bytes: Buffer): SparseFile => sparseFile(bytes.length, bytes, (start, end) => bytes.subarray(start, end));
