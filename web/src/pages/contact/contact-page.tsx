import { useSite } from '../../lib/use-site.ts';
import { contact } from '../../texts.ts';
import { BusinessCard } from '../../ui/business-card.tsx';
import buttons from '../../ui/button.module.css';
import styles from '../../ui/prose.module.css';
import { PublicPage } from '../../ui/public-page.tsx';

/** /kontakt: every way to the operator. */
export default function ContactPage() {
  const { business } = useSite();
  return (
    <PublicPage>
      <div className={styles.prose}>
        <h1 tabIndex={-1}>Kontakt</h1>
        <p>Rufen Sie an, schreiben Sie uns oder kommen Sie vorbei.</p>
        <BusinessCard business={business} />
        <div className={styles.row}>
          <a
            className={`${buttons.button} ${buttons.primary}`}
            href={`https://wa.me/${business.contact.whatsapp.slice(1)}?text=${encodeURIComponent(contact.whatsapp)}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            WhatsApp-Chat öffnen
          </a>
          <a
            className={`${buttons.button} ${buttons.secondary}`}
            href={`https://www.openstreetmap.org/?mlat=${business.map.lat}&mlon=${business.map.lon}#map=${business.map.zoom}/${business.map.lat}/${business.map.lon}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            Karte bei OpenStreetMap öffnen
          </a>
        </div>
      </div>
    </PublicPage>
  );
}
