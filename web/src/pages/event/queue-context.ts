import type { call } from '../../api/client.ts';
import type { createDeviceStore } from './device/device-store.ts';
import type { Item } from './item.ts';
import type { QueueEvent } from './machine.ts';
import type { createDuplicates } from './wire/duplicates.ts';
import type { Line } from './wire/line.ts';
import type { Sender } from './wire/transfer.ts';
import type * as Tus from './wire/tus.ts';
import type { Way } from './wire/way.ts';

/** State shared by the parts of a queue. It is changed in place, because nothing of it is shown. */
export interface QueueContext {
  line: Line;
  dispatch(event: QueueEvent): void;
  itemOf(id: string): Item | undefined;
  /** Removes an upload and its preview from the server; resolves once the server has confirmed it. */
  terminate(key: string): Promise<void>;
  /** Null until the guest has consented. */
  sender: Sender | null;
  /** The current run's knowledge of the way to the server. */
  way: Way;
  /** The server's limits for the event; null if they could not be read. */
  limits: Promise<Awaited<ReturnType<typeof call<'GET /event/:code/max'>>> | null> | null;
  /** Null until the code that sends in parts and keeps files is loaded. */
  tus: Pick<typeof Tus, 'sendPreview' | 'sendResumable' | 'terminate'> | null;
  duplicates: ReturnType<typeof createDuplicates> | null;
  deviceStore: ReturnType<typeof createDeviceStore> | null;
}
