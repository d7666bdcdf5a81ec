import { hasLocks, recall, remember } from '../lib/storage.ts';
import { call, inTime } from './client.ts';

/** Limit of the call for this browser's id: the answer has only a few bytes, so a slower connection is dead. */
const DEVICE_MS = 15_000;

/** Returns this browser's id, the proof that its uploads are its own. Throws ApiError. */
export async function deviceId(): Promise<string> {
  const ask = async (signal: AbortSignal): Promise<string> => {
    const known = recall('device_id');
    const headers = { 'cache-control': 'no-cache', ...(known && { 'device-id': known }) };
    const { device_id } = await call('GET /device_id', { headers, signal });
    remember('device_id', device_id);
    return device_id;
  };
  const asked = inTime(DEVICE_MS, (signal) => {
    if (recall('device_id') || !hasLocks()) return ask(signal);
    // The lock prevents that two tabs get different ids on the first visit.
    return navigator.locks.request('device_id', { signal }, () => ask(signal));
  });
  return asked.catch((error: unknown) => {
    const known = recall('device_id');
    if (known === null) throw error;
    // For a known id the call only renews the cookie.
    return known;
  });
}
