import { call } from '../api/client.ts';
import { recall, remember } from './storage.ts';

/** This browser's id: proof of ownership of what it uploads. Throws ApiError. */
export async function deviceId(): Promise<string> {
  // The lock prevents that two tabs get different ids on the first visit. Locks need https.
  if (recall('device_id') || !('locks' in navigator)) return ask();
  return navigator.locks.request('device_id', ask);
}

async function ask(): Promise<string> {
  const known = recall('device_id');
  const { device_id } = await call('GET /device_id', { headers: { 'cache-control': 'no-cache', ...(known && { 'device-id': known }) } });
  remember('device_id', device_id);
  return device_id;
}
