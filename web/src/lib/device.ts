import { call, inTime } from '../api/client.ts';
import { recall, remember } from './storage.ts';

/** The answer is some bytes: a line that brings none for so long is dead. */
const ANSWER_MS = 15_000;

/** This browser's id: proof of ownership of what it uploads. Throws ApiError. */
export async function deviceId(): Promise<string> {
  // The lock prevents that two tabs get different ids on the first visit. Locks need https.
  return inTime(ANSWER_MS, (signal) => {
    if (recall('device_id') || !('locks' in navigator)) return ask(signal);
    return navigator.locks.request('device_id', { signal }, () => ask(signal));
  });
}

async function ask(signal: AbortSignal): Promise<string> {
  const known = recall('device_id');
  const headers = { 'cache-control': 'no-cache', ...(known && { 'device-id': known }) };
  const { device_id } = await call('GET /device_id', { headers, signal });
  remember('device_id', device_id);
  return device_id;
}
