import { GB } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Notice } from '../../ui/notice.tsx';
import { OperatorPhone } from './operator-phone.tsx';
import { storageLevel } from './storage-level.ts';

const KINDS = { filling: 'info', nearly: 'warning', full: 'error' } as const;

/** Warns from 80 % of the storage on: what it means for guests, and how to get more. */
export function StorageNotice({ event }: { event: HostEvent }) {
  if (event.storage_limit === 'unlimited') return null;
  const share = event.storage_stats.total_size / (event.storage_limit * GB);
  const level = storageLevel(share);
  if (level === 'fine') return null;
  const percent = `${Math.floor(share * 100)}\u00a0%`;
  return (
    <Notice kind={KINDS[level]}>
      {level === 'filling' && <span>Der Speicher ist zu {percent} belegt. Ihre Gäste können weiter Fotos hochladen, bis er voll ist.</span>}
      {level === 'nearly' && (
        <>
          <strong>Der Speicher ist zu {percent} belegt</strong>
          <span>Große Fotos passen womöglich nicht mehr hinein. Ist er voll, können Ihre Gäste keine Fotos mehr hochladen.</span>
        </>
      )}
      {level === 'full' && (
        <>
          <strong>Der Speicher ist voll</strong>
          <span>Neue Fotos Ihrer Gäste werden abgelehnt. Alle bisherigen Fotos bleiben erhalten.</span>
        </>
      )}
      <MoreStorage />
    </Notice>
  );
}

function MoreStorage() {
  return (
    <span>
      Mehr Speicher bekommen Sie unter <OperatorPhone />, oder Sie löschen Fotos in der Galerie.
    </span>
  );
}
