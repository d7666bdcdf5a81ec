import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { ApiError, isRefusal } from './client.ts';

/** A refusal of this code with the sentence that belongs to its place; anything else as it is. */
export const withText = (error: unknown, code: ErrorCode, text: string): unknown =>
  isRefusal(error, code) ? new ApiError(error.status, error.code, text) : error;
