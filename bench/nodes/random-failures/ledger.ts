import { sha256 } from '../../../e2e/support/sha256.ts';
import type { Findings } from './findings.ts';

/** A photo that a guest has, and what became of it. */
export interface Sent {
  sha: string;
  eventId: string;
  size: number;
  /** Once its upload was acknowledged. */
  id: string | null;
  /** Its guest does nothing more with it. */
  settled: boolean;
  /** `asked`: its deletion may have happened. */
  deletion: 'none' | 'asked' | 'done';
}

/** What the service has promised to its clients. */
export interface Ledger {
  offer(eventId: string, bytes: Buffer): Sent;
  acknowledge(sent: Sent, id: string): void;
  /** All photos of an event that were ever acknowledged. */
  acknowledged(eventId: string): Sent[];
  byId(id: string): Sent | undefined;
  bySha(sha: string): Sent | undefined;
  /** The event is purged: nobody asks for its photos any more. */
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
