/** From so many characters on a title needs the room of what a card can do without. */
export const LONG_TITLE = 60;

/** Type size of a card's title in units of 1/105 of its width: the longer it is, the smaller, so that 320 characters leave room for the rest. */
export function titleSize(title: string): number {
  const length = [...title].length;
  if (length <= 14) return 10;
  if (length <= 40) return 8;
  if (length <= 90) return 6;
  return length <= 180 ? 4.5 : 3.4;
}
