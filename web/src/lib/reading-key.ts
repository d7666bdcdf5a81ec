/** An arrow key as it leads in the direction of reading: in a page that is written from the right, the next photo is on the left. */
export function readingKey(key: string): string {
  if (document.dir !== 'rtl') return key;
  if (key === 'ArrowLeft') return 'ArrowRight';
  return key === 'ArrowRight' ? 'ArrowLeft' : key;
}
