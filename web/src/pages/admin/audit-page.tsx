import type { AuditAction, AuditEntry } from '@feierbild/contract/calls/admins.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatInstant } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { AdminFrame, Empty } from './admin-frame.tsx';
import styles from './audit.module.css';
import { Loaded } from './loaded.tsx';

/** /admin/protokoll: who did what, the newest first. */
export function AuditPage() {
  const [code, setCode] = useState('');
  const event = code.length === 8 ? code : undefined;
  const query = useInfiniteQuery({
    queryKey: ['audit', event],
    queryFn: ({ pageParam }) => call('GET /admin/audit', { query: { ...(event && { event }), ...(pageParam && { before: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

  return (
    <AdminFrame
      title="Protokoll"
      lead="Anmeldungen, Rücksetzungen und Löschungen. Adressen werden nach 7 Tagen gekürzt, Einträge nach 12 Monaten gelöscht."
      className={styles.page}
    >
      <div className={styles.filter}>
        <CodeField value={code} onChange={setCode} counter="filled" />
      </div>
      <Loaded query={query}>
        {({ pages }) =>
          pages[0]?.entries.length === 0 ? (
            <Empty>
              {event ? 'Zu diesem Event gibt es keinen Eintrag.' : 'Noch kein Eintrag. Was in der Verwaltung geschieht, steht hier.'}
            </Empty>
          ) : (
            <ol className={styles.list}>
              {pages.flatMap(({ entries }) => entries.map((entry) => <AuditLine key={entry.id} entry={entry} />))}
            </ol>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <div>
          <Button look="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Ältere Einträge zeigen
          </Button>
        </div>
      )}
    </AdminFrame>
  );
}

const ACTIONS: Record<AuditAction, string> = {
  'admin.login': 'Verwaltung angemeldet',
  'admin.logout': 'Verwaltung abgemeldet',
  'admin.added': 'Verwaltungszugang angelegt',
  'admin.removed': 'Verwaltungszugang entfernt',
  'assistant.added': 'Helferzugang angelegt',
  'assistant.removed': 'Helferzugang entfernt',
  'admin.password': 'Verwaltungspasswort geändert',
  'admin.recovery-code': 'Wiederherstellungscode erzeugt',
  'admin.recovered': 'Passwort mit Wiederherstellungscode gesetzt',
  'factor.added': 'Zweiten Faktor eingerichtet',
  'factor.removed': 'Zweiten Faktor entfernt',
  'factor.failed': 'Passwort richtig, zweiter Faktor falsch',
  'factor.reset': 'Zweite Faktoren eines Zugangs zurückgesetzt',
  'host.login': 'Gastgeber angemeldet',
  'host.logout': 'Gastgeber abgemeldet',
  'slideshow.locked': 'Slideshow gesperrt',
  'slideshow.unlocked': 'Gesperrte Slideshow beendet',
  'gallery.changed': 'Gästegalerie eingestellt',
  'gallery.link': 'Neuer Link zur Gästegalerie',
  'gallery.revealed': 'Fotos enthüllt',
  'helper.invited': 'Link zur Freigabe gemacht',
  'helper.ended': 'Link zur Freigabe beendet',
  'helper.login': 'Hilfe zur Freigabe angemeldet',
  'program.created': 'Zugang für ein Programm angelegt',
  'program.ended': 'Zugang für ein Programm beendet',
  'token.created': 'Token angelegt',
  'token.revoked': 'Token widerrufen',
  'webhook.created': 'Webhook angelegt',
  'webhook.changed': 'Webhook geändert',
  'webhook.removed': 'Webhook gelöscht',
  'login.limited': 'Anmeldung nach Fehlversuchen gebremst',
  'host.created': 'Gastgeber-Zugang angelegt',
  'host.invited': 'Gastgeber eingeladen',
  'host.accepted': 'Einladung angenommen, Passwort festgelegt',
  'host.reset': 'Gastgeber-Passwort zurückgesetzt',
  'event.created': 'Event angelegt',
  'event.changed': 'Event geändert',
  'event.deleted': 'Event gelöscht',
  'event.purged': 'Fotos fristgerecht gelöscht',
  'key.tampered': 'Veränderte Schlüssel bemerkt',
  'person.disclosed': 'Auskunft über eine Person',
  'person.erased': 'Daten einer Person gelöscht',
  'photo.deleted': 'Foto gelöscht',
  'preview.replaced': 'Vorschau durch das Original ersetzt',
  'original.unreadable': 'Unlesbares Original bemerkt',
  'clock.confirmed': 'Uhrzeit bestätigt',
  'settings.changed': 'Einstellungen geändert',
  'settings.restored': 'Einstellungen einen Schritt zurückgenommen',
};
const ACTORS: Record<string, string> = {
  host: 'Gastgeber',
  projector: 'Gesperrte Slideshow',
  helper: 'Hilfe des Gastgebers',
  system: 'Feierbild',
  cli: 'Befehl am Server',
  unknown: 'Unbekannt',
};

/** One line of the audit trail. */
export function AuditLine({ entry: { at, actor, action, event_code, address } }: { entry: AuditEntry }) {
  const admin = /^admin:(.*)$/.exec(actor)?.[1];
  const assistant = /^assistant:(.*)$/.exec(actor)?.[1];
  const token = /^token:(.*)$/.exec(actor)?.[1];
  return (
    <li>
      <time dateTime={at}>{formatInstant(at)}</time>
      <strong>{ACTIONS[action]}</strong>
      <span>{admin ?? (assistant && `${assistant} (Helfer)`) ?? (token && `Token „${token}“`) ?? ACTORS[actor] ?? actor}</span>
      <span className={styles.code}>{event_code}</span>
      <span className="soft">{address}</span>
    </li>
  );
}
