import { GB } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Notice } from '../../ui/notice.tsx';
import { OperatorPhone } from './operator-phone.tsx';
import { storageLevel } from './storage-level.ts';

/** What each level means for guests. */
const MEANINGS = {
  filling: { kind: 'info', text: 'Ihre Gäste können weiter Fotos hochladen, bis er voll ist.' },
  nearly: {
    kind: 'warning',
    text: 'Große Fotos passen womöglich nicht mehr hinein. Ist er voll, können Ihre Gäste keine Fotos mehr hochladen.',
  },
  full: { kind: 'error', text: 'Neue Fotos Ihrer Gäste werden abgelehnt. Alle bisherigen Fotos bleiben erhalten.' },
} as const;

/** Warns from 80 % of the storage on: what it means for guests, and how to get more. */
export function StorageNotice({ event }: { event: HostEvent }) {
  if (event.storage_limit === 'unlimited') return null;
  const share = event.storage_stats.total_size / (event.storage_limit * GB);
  const level = storageLevel(share);
  if (level === 'fine') return null;
  const { kind, text } = MEANINGS[level];
  const full = `Der Speicher ist ${level === 'full' ? 'voll' : `zu ${Math.floor(share * 100)}\u00a0% belegt`}`;
  return (
    <Notice kind={kind}>
      {level !== 'filling' && <strong>{full}</strong>}
      <span>{level === 'filling' ? `${full}. ${text}` : text}</span>
      <span>
        Mehr Speicher bekommen Sie unter <OperatorPhone />, oder Sie löschen Fotos in der Galerie.
      </span>
    </Notice>
  );
}
