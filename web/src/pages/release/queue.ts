import type { Photo } from '@feierbild/contract/entities.ts';

/** A photo that was decided about here. */
export interface Decision {
  photo: Photo;
  shown: boolean;
}

/** The photos of a release, as one person goes through them. */
export interface Queue {
  /** In the order in which they are asked about; the first is on the screen. */
  waiting: readonly Photo[];
  /** What was decided, the last decision last: it can be taken back. */
  decided: readonly Decision[];
  /** Decisions that the server did not take. */
  failed: number;
}

export type Step =
  | { type: 'came'; photos: readonly Photo[] }
  | { type: 'decided'; id: string; shown: boolean }
  | { type: 'undone' }
  | { type: 'failed'; id: string }
  | { type: 'told' };

/** Decisions that can be taken back one after the other. */
const UNDO_STEPS = 50;

export const EMPTY: Queue = { waiting: [], decided: [], failed: 0 };

export function reduce(queue: Queue, step: Step): Queue {
  const { waiting, decided } = queue;
  switch (step.type) {
    case 'came': {
      const known = new Set([...waiting, ...decided.map(({ photo }) => photo)].map(({ id }) => id));
      const fresh = step.photos.filter(({ id }) => !known.has(id));
      return fresh.length > 0 ? { ...queue, waiting: [...waiting, ...fresh] } : queue;
    }
    case 'decided': {
      const photo = waiting.find(({ id }) => id === step.id);
      if (!photo) return queue;
      const rest = waiting.filter((other) => other !== photo);
      return { ...queue, waiting: rest, decided: [...decided, { photo, shown: step.shown }].slice(-UNDO_STEPS) };
    }
    case 'undone': {
      const last = decided.at(-1);
      return last ? { ...queue, waiting: [last.photo, ...waiting], decided: decided.slice(0, -1) } : queue;
    }
    case 'failed': {
      const back = decided.find(({ photo }) => photo.id === step.id);
      if (!back) return queue;
      return {
        waiting: [back.photo, ...waiting],
        decided: decided.filter((decision) => decision !== back),
        failed: queue.failed + 1,
      };
    }
    case 'told':
      return { ...queue, failed: 0 };
  }
}
