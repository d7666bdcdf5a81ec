import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { ApiError, isRefusal } from './client.ts';

/** Replaces the text of a refusal of this code; returns any other error unchanged. */
export const withText = (error: unknown, code: ErrorCode, text: string): unknown =>
  isRefusal(error, code) ? new ApiError(error.status, error.code, text) : error;
