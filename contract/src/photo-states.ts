/**
 * `announced`: its preview is there, drawn by the phone; the original follows. `received`: the original is durable, and not decoded yet.
 * `stored`: decoded, and compared with the preview. `unreadable`: decoded in vain; its preview stays, and the original as it came.
 */
export const PHOTO_STATES = ['announced', 'received', 'stored', 'unreadable'] as const;
export type PhotoState = (typeof PHOTO_STATES)[number];

interface Rule {
  /** The original lies in the photo store: it counts as a photo with all its bytes, and is what a single download gives. */
  original: boolean;
  /** A temporary link may be made of it, and the ZIP has it (what is not `stored` is decoded first); others are in no ZIP but as previews. */
  handedOut: boolean;
}

/** What holds for a photo in each state: the one place that says it. A viewer of photos sees a photo in each state. */
export const STATE_RULES: Record<PhotoState, Rule> = {
  announced: { original: false, handedOut: false },
  received: { original: true, handedOut: true },
  stored: { original: true, handedOut: true },
  unreadable: { original: true, handedOut: false },
};

/** The states for which a rule holds. */
export function statesWith(rule: keyof Rule, is = true): PhotoState[] {
  return PHOTO_STATES.filter((state) => STATE_RULES[state][rule] === is);
}
