import { call } from '../../../api/client.ts';

/** Nothing of a file is sent before the answer. */
const ANSWER_MS = 15_000;

export interface Limits {
  /** Largest file that the server takes. */
  maxBytes: number;
  /** The event's id, which fingerprints of photos are made with. */
  eventId: string;
}

const asked = new Map<string, Promise<Limits | null>>();

/** What the server takes for an event, asked once a page; null where it could not be asked. */
export function limitsOf(code: string): Promise<Limits | null> {
  const before = asked.get(code);
  if (before) return before;
  const answer = call('GET /event/:code/max', { params: { code }, limitMs: ANSWER_MS }).then(
    (limits) => ({ maxBytes: limits.max_video_bytes ?? limits.max_file_bytes, eventId: limits.event_id }),
    () => {
      asked.delete(code);
      return null;
    },
  );
  asked.set(code, answer);
  return answer;
}
