/** Formats the length of a video: `1:05`, from an hour on `1:00:05`; empty if it is unknown. */
export function videoLength(ms: number | null): string {
  if (ms === null) return '';
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
