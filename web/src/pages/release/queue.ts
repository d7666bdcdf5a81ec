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
  /** Photos about which somebody else decided first. */
  elsewhere: number;
}

export type Step =
  | { type: 'came'; photos: readonly Photo[] }
  /** All that wait are these, as far as the last of them, or altogether where it is `whole`; of those in `unsure` that says nothing. */
  | { type: 'are'; photos: readonly Photo[]; unsure: ReadonlySet<string>; whole: boolean }
  | { type: 'decided'; id: string; shown: boolean }
  | { type: 'undone' }
  | { type: 'failed'; photo: Photo }
  | { type: 'elsewhere'; id: string }
  /** It is there no more. */
  | { type: 'gone'; id: string }
  | { type: 'told' };

/** Decisions that can be taken back one after the other. */
const UNDO_STEPS = 50;

export const EMPTY: Queue = { waiting: [], decided: [], failed: 0, elsewhere: 0 };

const without = (queue: Queue, id: string): Queue => ({
  ...queue,
  waiting: queue.waiting.filter((photo) => photo.id !== id),
  decided: queue.decided.filter(({ photo }) => photo.id !== id),
});

export function reduce(queue: Queue, step: Step): Queue {
  const { waiting, decided } = queue;
  switch (step.type) {
    case 'came': {
      const known = new Set([...waiting, ...decided.map(({ photo }) => photo)].map(({ id }) => id));
      const fresh = step.photos.filter(({ id }) => !known.has(id));
      return fresh.length > 0 ? { ...queue, waiting: [...waiting, ...fresh] } : queue;
    }
    case 'are': {
      const there = new Set(step.photos.map(({ id }) => id));
      const last = step.photos.at(-1)?.created_at ?? '';
      const isGone = ({ id, created_at }: Photo): boolean => !there.has(id) && !step.unsure.has(id) && (step.whole || created_at < last);
      const left = waiting.some(isGone) ? waiting.filter((photo) => !isGone(photo)) : waiting;
      return reduce(left === waiting ? queue : { ...queue, waiting: left }, { type: 'came', photos: step.photos });
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
      // Taken back meanwhile, it waits already.
      if (waiting.some(({ id }) => id === step.photo.id)) return queue;
      const rest = without(queue, step.photo.id);
      return { ...rest, waiting: [step.photo, ...rest.waiting], failed: queue.failed + 1 };
    }
    case 'elsewhere':
      return { ...without(queue, step.id), elsewhere: queue.elsewhere + 1 };
    case 'gone':
      return without(queue, step.id);
    case 'told':
      return { ...queue, failed: 0, elsewhere: 0 };
  }
}
