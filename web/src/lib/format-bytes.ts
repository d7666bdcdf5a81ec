import { GB, MB } from '@feierbild/contract/constants.ts';
import { hear, said } from '../texts/speech.ts';

let decimal: Intl.NumberFormat;
hear(() => (decimal = new Intl.NumberFormat(said('locale', 'de-DE'), { maximumFractionDigits: 1 })));

/** Formats bytes as `4,7 GB`, with a no-break space; below 0,1 GB in MB. `0 MB` means exactly none. */
export function formatBytes(bytes: number): string {
  if (bytes > 0 && bytes < MB / 20) return `< ${decimal.format(0.1)}\u00a0MB`;
  return bytes >= GB / 10 ? `${decimal.format(bytes / GB)}\u00a0GB` : `${decimal.format(bytes / MB)}\u00a0MB`;
}
