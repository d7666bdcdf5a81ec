import { berlinDay } from '@feierbild/contract/berlin.ts';
import { GB } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { formatBytes, formatDay } from '../../lib/format.ts';

const ZIP = { idle: 'keins', processing: 'wird erstellt', complete: 'fertig', failed: 'fehlgeschlagen' };

/** `fertig`, `wird erstellt (40 %)` */
export function zipState({ zip_status, zip_progress }: AdminEvent): string {
  return zip_status === 'processing' ? `${ZIP.processing} (${zip_progress}\u00a0%)` : ZIP[zip_status];
}

/** `5 GB`, or `unbegrenzt` */
export function allowedStorage({ storage_limit }: AdminEvent): string {
  return storage_limit === 'unlimited' ? 'unbegrenzt' : formatBytes(storage_limit * GB);
}

/** The last day of the photos, or when they were deleted: `gelöscht am 17. Mai 2026`. */
export function deletionOf({ purged_at, deletion_date }: AdminEvent, format = formatDay): string {
  return purged_at ? `gelöscht am ${format(berlinDay(Date.parse(purged_at)))}` : format(deletion_date);
}
