import type { Business } from '@feierbild/contract/calls/site.ts';
import { queryParameter, useBrowserValue } from '../../lib/query.ts';
import { useSite } from '../../lib/use-site.ts';
import { contact } from '../../texts.ts';
import { BusinessCard, PublicPage } from '../../ui/public-page.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import prose from '../../ui/prose.module.css';
import { ReportForm } from '../../ui/report-form.tsx';
import styles from './map.module.css';

/** /kontakt: all contact data of the operator. */
export default function ContactPage() {
  const { business } = useSite();
  const { whatsapp, whatsappShown } = business.contact;
  return (
    <PublicPage title="Kontakt">
      <p>
        Rufen Sie an, schreiben Sie uns oder kommen Sie vorbei. Für ein Event brauchen wir nur den Tag und ungefähr, wie viele Gäste kommen.
      </p>
      <BusinessCard />
      {whatsapp && (
        <>
          <div className={prose.row}>
            <ButtonLink
              href={`https://wa.me/${whatsapp.slice(1)}?text=${encodeURIComponent(contact.whatsapp)}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              WhatsApp-Chat öffnen
            </ButtonLink>
          </div>
          <p className={prose.stand}>
            WhatsApp{whatsappShown && ` (${whatsappShown})`} gehört zu Meta und verarbeitet Ihre Nachricht auch in den USA. Telefon und
            E&#8209;Mail gehen genauso gut.
          </p>
        </>
      )}
      {business.map && (
        <>
          <h2>So finden Sie uns</h2>
          <Map identity={business.identity} map={business.map} />
        </>
      )}
      <h2 id="melden">Foto melden</h2>
      <p>
        Sie sind auf einem Foto zu sehen und möchten das nicht, oder Sie halten ein Foto für rechtswidrig? Sprechen Sie zuerst den Gastgeber
        an: Er kann jedes Foto seines Events sofort löschen. Sonst sagen Sie es uns hier.
      </p>
      <ReportForm />
    </PublicPage>
  );
}

const SITE = 'https://www.openstreetmap.org';
/** Pixels of a map tile; at zoom 0 one tile holds the whole world. */
const TILE = 256;

type Place = NonNullable<Business['map']>;

/**
 * A frame with the map's size. The map comes from another host, so it is loaded only after a click. The page is then loaded again, because
 * only the security policy of this page's own document allows that host.
 */
export function Map({ identity, map }: { identity: Business['identity']; map: Place }) {
  const [wanted] = useBrowserValue(() => queryParameter('karte') === '1', false);
  const address = `${identity.street}, ${identity.zip} ${identity.city}`;
  if (wanted) {
    return <iframe className={styles.frame} src={embedded(map)} title={`Karte: ${address}`} referrerPolicy="no-referrer" />;
  }
  return (
    <div className={styles.frame}>
      <p>
        <strong>{identity.brand}</strong>
        {address}
      </p>
      <ButtonLink look="secondary" href="/kontakt?karte=1" data-anew>
        Karte laden (OpenStreetMap)
      </ButtonLink>
      <p className={styles.note}>
        Beim Laden erfährt die OpenStreetMap Foundation Ihre IP&#8209;Adresse.{' '}
        <a href={`${SITE}/?mlat=${map.lat}&mlon=${map.lon}#map=${map.zoom}/${map.lat}/${map.lon}`} rel="noopener noreferrer">
          Bei OpenStreetMap öffnen
        </a>
      </p>
    </div>
  );
}

/** Returns the map's address for a frame of about 700 × 320 pixels around the place. */
function embedded({ lat, lon, zoom }: Place): string {
  const degreesPerPixel = 360 / (TILE * 2 ** zoom);
  const [halfWidth, halfHeight] = [350 * degreesPerPixel, 160 * degreesPerPixel * Math.cos((lat * Math.PI) / 180)];
  const box = [lon - halfWidth, lat - halfHeight, lon + halfWidth, lat + halfHeight].map((degrees) => degrees.toFixed(5)).join(',');
  return `${SITE}/export/embed.html?bbox=${encodeURIComponent(box)}&layer=mapnik&marker=${encodeURIComponent(`${lat},${lon}`)}`;
}
