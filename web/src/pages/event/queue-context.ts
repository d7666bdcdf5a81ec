import type { call } from '../../api/client.ts';
import type { createDeviceStore } from './device/device-store.ts';
import type { Item } from './item.ts';
import type { QueueEvent } from './machine.ts';
import type { createDuplicates } from './wire/duplicates.ts';
import type { Line } from './wire/line.ts';
import type { Sender } from './wire/transfer.ts';
import type * as Tus from './wire/tus.ts';
import type { Way } from './wire/way.ts';

/** What the parts of a queue share. Changed in place: nothing of it is shown. */
export interface QueueContext {
  line: Line;
  dispatch(event: QueueEvent): void;
  itemOf(id: string): Item | undefined;
  /** Nothing of this upload stays on the server, its preview neither; resolves once the server has said so. */
  terminate(key: string): Promise<void>;
  /** Null until there is consent. */
  sender: Sender | null;
  /** Of the run that is under way. */
  way: Way;
  /** The server's limits for the event; null where it could not be asked. */
  limits: Promise<Awaited<ReturnType<typeof call<'GET /event/:code/max'>>> | null> | null;
  /** Null until the code that sends in parts and keeps files is loaded. */
  tus: Pick<typeof Tus, 'sendPreview' | 'sendResumable' | 'terminate'> | null;
  duplicates: ReturnType<typeof createDuplicates> | null;
  deviceStore: ReturnType<typeof createDeviceStore> | null;
}
