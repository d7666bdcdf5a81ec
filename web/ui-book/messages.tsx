import { BusinessCard } from '../src/ui/public-page.tsx';
import { Button } from '../src/ui/button.tsx';
import { Empty } from '../src/ui/empty.tsx';
import { IncompleteLink } from '../src/ui/incomplete-link.tsx';
import { Loaded } from '../src/ui/loaded.tsx';
import { Notice } from '../src/ui/notice.tsx';
import { Outdated } from '../src/ui/outdated.tsx';
import prose from '../src/ui/prose.module.css';
import { ReceiptKeys } from '../src/ui/receipt-keys.tsx';
import { ShareLink } from '../src/ui/share-link.tsx';
import { ShownOnce } from '../src/ui/shown-once.tsx';
import styles from './book.module.css';
import { LONG_TEXT, LONG_WORD } from './samples.ts';
import { nothing, type Group } from './state.ts';

const LINK = 'https://feierbild.example/event/K7MQ2XWA';

export const messages: Group = {
  id: 'meldungen',
  title: 'Meldungen und Texte',
  states: [
    { id: 'notice-info', name: 'Hinweis', show: <Notice kind="info">Dieses Event ist für Gäste noch nicht aktiv.</Notice> },
    { id: 'notice-success', name: 'Erfolg', show: <Notice kind="success">Das Passwort ist geändert.</Notice> },
    { id: 'notice-warning', name: 'Warnung', show: <Notice kind="warning">Das Passwort wird nur dieses eine Mal angezeigt.</Notice> },
    { id: 'notice-error', name: 'Fehler', show: <Notice kind="error">Keine Verbindung. Bitte das Netz prüfen.</Notice> },
    {
      id: 'notice-dismiss',
      name: 'Meldung, die man schließen kann',
      show: (
        <Notice kind="success" onDismiss={nothing}>
          <strong>Die Meldung ist angekommen.</strong>
          <span>{LONG_TEXT}</span>
        </Notice>
      ),
    },
    {
      id: 'notice-long',
      name: 'Meldung mit langem Text und Knopf',
      show: (
        <Notice kind="error" permanent>
          <strong>{LONG_WORD}</strong>
          <span>{LONG_TEXT}</span>
          <span>
            <Button look="secondary">Erneut versuchen</Button>
          </span>
        </Notice>
      ),
    },
    { id: 'empty', name: 'Leere Liste', show: <Empty>Noch keine Meldung. {LONG_TEXT}</Empty> },
    { id: 'outdated', name: 'Inzwischen geändert', show: <Outdated title="Jemand anders hat inzwischen gespeichert." onLoad={nothing} /> },
    {
      id: 'loaded-failed',
      name: 'Nicht geladen',
      show: (
        <Loaded query={{ data: undefined, error: new Error('Keine Verbindung.'), refetch: async () => undefined }}>{() => null}</Loaded>
      ),
    },
    {
      id: 'incomplete-link',
      name: 'Im Link fehlt ein Teil',
      alone: true,
      show: <IncompleteLink onToken={nothing}>In der Mail steht auch ein Code.</IncompleteLink>,
    },
    {
      id: 'shown-once',
      name: 'Geheimnis, das nur einmal zu sehen ist',
      show: <ShownOnce what="Zugang" value="fbp_K7MQ2XWAK7MQ2XWAK7MQ2XWAK7MQ2XWAK7MQ2XWAK7M" hint="Legen Sie es im Programm ab." />,
    },
    {
      id: 'share-link',
      name: 'Link zum Teilen',
      show: (
        <div className={styles.narrow}>
          <ShareLink url={LINK} title="Lena & Jonas" />
        </div>
      ),
    },
    {
      id: 'share-link-long',
      name: 'Link zum Teilen, lang',
      show: (
        <div className={styles.narrow}>
          <ShareLink url={`${LINK}?password=${encodeURIComponent(LONG_WORD)}`} title="Lena & Jonas" />
        </div>
      ),
    },
    {
      id: 'receipt-keys',
      name: 'Schlüssel der Löschprotokolle',
      show: <ReceiptKeys read={{ keys: [{ key_id: '56475aa75463474c', public_key: 'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=' }] }} />,
    },
    { id: 'receipt-keys-loading', name: 'Schlüssel, noch nicht da', show: <ReceiptKeys read={null} /> },
    { id: 'receipt-keys-failed', name: 'Schlüssel, nicht zu haben', show: <ReceiptKeys read={{ error: LONG_TEXT }} /> },
    { id: 'business-card', name: 'Anschrift des Betreibers', show: <BusinessCard /> },
    {
      id: 'prose',
      name: 'Fließtext',
      show: (
        <div className={prose.prose}>
          <h2>Überschrift mit {LONG_WORD}</h2>
          <p>
            {LONG_TEXT} <a href="#gruppe-meldungen">Ein Link im Text</a>.
          </p>
          <ul>
            <li>Erster Punkt</li>
            <li>{LONG_TEXT}</li>
          </ul>
          <table>
            <thead>
              <tr>
                <th scope="col">Wann</th>
                <th scope="col">Anteil</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>bis 30 Tage vor Beginn</td>
                <td>15 %</td>
              </tr>
            </tbody>
          </table>
          <dl className={prose.list}>
            <div>
              <dt>Zweck</dt>
              <dd>{LONG_TEXT}</dd>
            </div>
          </dl>
          <p className={prose.stand}>Stand: 17. Mai 2026</p>
        </div>
      ),
    },
  ],
};
