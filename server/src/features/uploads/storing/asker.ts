import type { DeviceVisitor } from '../../../http/visitor.ts';
import type { Asker } from '../../../images/decoder.ts';
import { addressNetwork } from '../../../lib/address.ts';

/** Names the asker of a decoder: guests share its time by event, network and device. */
export const askerOf = (eventId: string, { address, deviceId }: DeviceVisitor): Asker => ({
  owner: eventId,
  network: addressNetwork(address),
  device: deviceId,
});
