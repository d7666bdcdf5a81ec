import { sha256 } from '../../../e2e/support/sha256.ts';
import type { Findings } from './findings.ts';

/** A guest's photo and its state. */
export interface Sent {
  sha: string;
  eventId: string;
  size: number;
  /** Set when the upload was acknowledged. */
  id: string | null;
  /** The guest does nothing more with the photo. */
  settled: boolean;
  /** `asked`: the deletion may have happened. */
  deletion: 'none' | 'asked' | 'done';
}

/** The promises of the service to its clients. */
export interface Ledger {
  offer(eventId: string, bytes: Buffer): Sent;
  acknowledge(sent: Sent, id: string): void;
  /** Lists all photos of an event that were ever acknowledged. */
  acknowledged(eventId: string): Sent[];
  byId(id: string): Sent | undefined;
  bySha(sha: string): Sent | undefined;
  /** Forgets the photos of a purged event. */
  forget(eventId: string): void;
}

export function createLedger(findings: Findings): Ledger {
  const all = new Map<string, Sent>();
  const ids = new Map<string, Sent>();
  return {
    offer(eventId, bytes) {
      const sent: Sent = { sha: sha256(bytes), eventId, size: bytes.length, id: null, settled: false, deletion: 'none' };
      all.set(sent.sha, sent);
      return sent;
    },
    acknowledge(sent, id) {
      if (sent.id !== null && sent.id !== id) findings.add(`one photo was acknowledged as ${sent.id} and as ${id}`);
      const other = ids.get(id);
      if (other && other !== sent) findings.add(`two photos were acknowledged as ${id}`);
      sent.id = id;
      ids.set(id, sent);
    },
    acknowledged: (eventId) => [...ids.values()].filter((sent) => sent.eventId === eventId),
    byId: (id) => ids.get(id),
    bySha: (sha) => all.get(sha),
    forget(eventId) {
      for (const sent of all.values()) {
        if (sent.eventId !== eventId) continue;
        all.delete(sent.sha);
        if (sent.id !== null) ids.delete(sent.id);
      }
    },
  };
}
