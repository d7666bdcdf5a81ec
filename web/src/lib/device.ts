import { call } from '../api/client.ts';
import { recall, remember } from './storage.ts';

/** This browser's id: proof of ownership of what it uploads. Throws ApiError. */
export async function deviceId(): Promise<string> {
  // Two tabs on a first visit would get an id each. (Locks need https; without, that is as it is.)
  if (recall('device_id') || !('locks' in navigator)) return ask();
  return navigator.locks.request('device_id', ask);
}

async function ask(): Promise<string> {
  const known = recall('device_id');
  const { device_id } = await call('GET /device_id', { headers: { 'cache-control': 'no-cache', ...(known && { 'device-id': known }) } });
  remember('device_id', device_id);
  return device_id;
}
