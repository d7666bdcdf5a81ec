/** Type size of a card's title in millimetres: the longer it is, the smaller, so that 320 characters leave room for the rest. */
export function titleSize(title: string): number {
  const length = [...title].length;
  if (length <= 40) return 8;
  if (length <= 90) return 6;
  return length <= 180 ? 4.5 : 3.4;
}
