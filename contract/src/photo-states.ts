/**
 * `announced`: the phone's preview is stored; the original follows. `received`: the original is durable, but not decoded yet. `stored`: the
 * original is decoded, and compared with the preview. `unreadable`: decoding failed; the preview stays, and the original as it came.
 */
export const PHOTO_STATES = ['announced', 'received', 'stored', 'unreadable'] as const;
export type PhotoState = (typeof PHOTO_STATES)[number];

interface Rule {
  /** The original lies in the photo store: the photo counts with all its bytes, and a single download returns the original. */
  original: boolean;
  /**
   * The photo can have a temporary link, and its original is in the ZIP (it is decoded first unless `stored`); other photos are in a ZIP as
   * previews only.
   */
  handedOut: boolean;
}

/** The rules for each state, kept here alone. Viewers of photos see photos in every state. */
export const STATE_RULES: Record<PhotoState, Rule> = {
  announced: { original: false, handedOut: false },
  received: { original: true, handedOut: true },
  stored: { original: true, handedOut: true },
  unreadable: { original: true, handedOut: false },
};

/** Lists the states for which a rule holds. */
export function statesWith(rule: keyof Rule, is = true): PhotoState[] {
  return PHOTO_STATES.filter((state) => STATE_RULES[state][rule] === is);
}
