/** Mirrors an arrow key in right-to-left pages, where the next photo is on the left. */
export function readingKey(key: string): string {
  if (document.dir !== 'rtl') return key;
  if (key === 'ArrowLeft') return 'ArrowRight';
  return key === 'ArrowRight' ? 'ArrowLeft' : key;
}
