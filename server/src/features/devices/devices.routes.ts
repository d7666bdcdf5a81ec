import type { Http } from '../../http/bind.ts';
import { randomDeviceId } from '../../lib/ids.ts';
import type { Devices } from './devices.ts';

/** Gives a browser its id; a browser that has one keeps it. */
export function deviceRoutes(http: Http, { devices }: { devices: Devices }): void {
  http.bind('GET /device_id', ({ request, reply }) => {
    const id = devices.keptIdOf(request) ?? randomDeviceId();
    devices.setCookie(reply, id);
    return { device_id: id };
  });
}
