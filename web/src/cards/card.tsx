import type { HostEvent } from '@feierbild/contract/entities.ts';
import { LANGUAGES, type Language } from '@feierbild/contract/languages.ts';
import { QRCodeSVG } from 'qrcode.react';
import { CARD_LINES } from '../languages/cards.ts';
import { useEventUrl, useOrigin } from '../lib/event-url.ts';
import { formatDays } from '../lib/format.ts';
import { useSite } from '../lib/use-site.ts';
import { pictureOf } from '../ui/page-shell.tsx';
import styles from './cards.module.css';

/** A card's design: light paper with a thin frame, a dark card, or light paper with a drawn branch. */
export type Design = 'papier' | 'abend' | 'zweig';

/** The headline by form of address. */
const REQUEST = { ihr: 'Eure Fotos, bitte', sie: 'Ihre Fotos, bitte' };
/** The headline of a card that opens the guests' gallery, by form of address. */
const OFFER = { ihr: 'Alle Fotos, für euch', sie: 'Alle Fotos, für Sie' };
export type Address = keyof typeof REQUEST;

/** The event's data on a card; the password is set only where the reader may know it. */
export type CardEvent = Pick<
  HostEvent,
  | 'id'
  | 'code'
  | 'title'
  | 'subtitle'
  | 'start_date'
  | 'end_date'
  | 'look'
  | 'with_upload_password'
  | 'user_upload_password'
  | 'link_password'
>;

interface CardProps {
  event: CardEvent;
  /** The password that the card prints and the QR code contains; null leaves it out. */
  password: string | null;
  /** Path of the guests' gallery with its token; null where guests see no gallery. */
  gallery: string | null;
  /** Whether the card opens the gallery instead of the event. */
  looks: boolean;
  design: Design;
  address: Address;
  /** The language of a line for guests who read no German; null if there is none. */
  second: Language | null;
}

/** The content of a card; its lengths are units of 1/105 of the card's width (`--unit`). */
export function Card({ event, password, gallery: link, looks, design, address, second }: CardProps) {
  const gallery = looks ? link : null;
  const line = second === null ? undefined : CARD_LINES[second]?.[gallery ? 'look' : 'send'];
  const { business, brand: { logo } = {} } = useSite();
  const eventUrl = useEventUrl();
  const origin = useOrigin();
  const { host } = new URL(origin);
  /** The code as `ABCD EFGH`, which is easier to read and type than eight characters in a row. */
  const inFours = event.code.replace(/(.{4})(?=.)/g, '$1 ');
  const long = [...event.title].length > LONG_TITLE;
  return (
    <>
      <div className={styles.head}>
        {design === 'zweig' && !long && <Sprig />}
        {!long && <p className={styles.request}>{(gallery ? OFFER : REQUEST)[address]}</p>}
        <h2 translate="no" className={styles.title} style={{ fontSize: `calc(${titleSize(event.title)} * var(--unit))` }}>
          {event.title}
        </h2>
        {event.subtitle && (
          <p translate="no" className={`${styles.subtitle} ${long ? styles.oneLine : ''}`}>
            {event.subtitle}
          </p>
        )}
        <p className={styles.date}>{formatDays(event.start_date, event.end_date)}</p>
        {event.look.welcome && !long && <p className={styles.welcome}>{event.look.welcome}</p>}
      </div>
      {/* Readers need a margin of four white modules on the dark card; the other cards are white themselves. */}
      <QRCodeSVG
        className={styles.qr}
        value={
          gallery ? origin + gallery : eventUrl(event.code, { password: password && (event.link_password ?? password), gallery: link })
        }
        marginSize={design === 'abend' ? 4 : 0}
        title={`QR-Code ${gallery ? 'zur Galerie von' : 'zum Event'} ${event.title}`}
      />
      <div>
        <p className={styles.slogan}>{gallery ? 'Scannen. Ansehen.' : 'Scannen. Auswählen. Fertig.'}</p>
        <p className={styles.hint}>Ohne App, ohne Konto</p>
        {second && line && (
          <p className={styles.hint} lang={second} dir={LANGUAGES[second].dir}>
            {line}
          </p>
        )}
      </div>
      <div className={styles.foot}>
        {gallery && <p>Wer diesen Code scannt, sieht die gezeigten Fotos.</p>}
        {!gallery && (
          <>
            <p className={styles.code}>
              <span translate="no">{host}/join</span>
              <span>
                Code <strong translate="no">{inFours}</strong>
              </span>
            </p>
            {password && (
              <p>
                Passwort{' '}
                <strong translate="no" className={styles.password}>
                  {password}
                </strong>
              </p>
            )}
            {!password && event.with_upload_password && <p>Das Passwort verrät der Gastgeber.</p>}
          </>
        )}
        {logo && <img className={styles.logo} src={pictureOf(logo).src} alt={business.identity.brand} />}
      </div>
    </>
  );
}

/** The leaves: distance of each from the middle along the stem, and its length. */
const LEAVES = [
  { x: 7, length: 7.5 },
  { x: 13, length: 7 },
  { x: 19, length: 6 },
  { x: 24.5, length: 5 },
];

/** Returns the height of the bent stem at a distance from the middle. */
const rise = (x: number): number => (x / 30) ** 2 * 5;

function leaf({ x, length }: { x: number; length: number }, side: 1 | -1): string {
  const y = -rise(x);
  const [dx, dy] = [length * 0.82, -side * length * 0.55];
  const tip = `${dx} ${dy}`;
  return `M${x} ${y}q${dx * 0.1} ${dy * 0.95} ${tip}q${-dx * 0.1} ${-dy * 0.95} ${-dx} ${-dy}m0 0l${dx * 0.7} ${dy * 0.7}`;
}

const BRANCH = [
  'M1.8 0Q16 -0.2 30 -5',
  ...LEAVES.flatMap((at) => [leaf(at, 1), leaf({ x: at.x + 2, length: at.length * 0.9 }, -1)]),
  'M30 -5q1.2 -3.2 4.4 -3.4q-0.8 3.2 -4.4 3.4',
].join('');

/** Two branches that meet in the middle, drawn in thin lines. */
function Sprig() {
  return (
    <svg className={styles.sprig} viewBox="-36 -13 72 18" aria-hidden="true">
      <path d={BRANCH} />
      <path d={BRANCH} transform="scale(-1 1)" />
      <circle r="1.2" cy="0.1" />
    </svg>
  );
}

/** Length in characters above which a title takes the room of the card's dispensable parts. */
const LONG_TITLE = 60;

/** Returns a title's type size in units of 1/105 of the card's width; even 320 characters leave room for the rest of the card. */
export function titleSize(title: string): number {
  const length = [...title].length;
  if (length <= 14) return 10;
  if (length <= 40) return 8;
  if (length <= 90) return 6;
  return length <= 180 ? 4.5 : 3.4;
}
