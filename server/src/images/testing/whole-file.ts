import { sparseFile, type SparseFile } from '../video/sparse-file.ts';

/** For tests: a file of which all bytes are at hand. */
export const wholeFile = (bytes: Buffer): SparseFile => sparseFile(bytes.length, bytes, (start, end) => bytes.subarray(start, end));
