import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { formatNumber } from '../../lib/format.ts';
import { INDIVIDUAL, MEGABYTES_PER_PHOTO, PACKAGES, requestPath } from '../../lib/offer.ts';
import { useSite } from '../../lib/use-site.ts';
import { ButtonLink } from '../../ui/button.tsx';
import styles from './home-page.module.css';

const OFFERS = [
  ...PACKAGES.map(({ name, price, photos, gigabytes, ...rest }) => ({
    name,
    price: `${formatNumber(price)} €`,
    photos: `ca. ${formatNumber(photos)} Fotos`,
    storage: `${gigabytes} GB Speicher`,
    popular: 'popular' in rest,
  })),
  { name: INDIVIDUAL.name, price: 'auf Anfrage', photos: 'mehr Fotos', storage: `${INDIVIDUAL.gigabytes}+ GB Speicher`, popular: false },
];

/** The price table; during the beta each package is asked for. */
export function Prices() {
  const { tax } = useSite().business;
  return (
    <section aria-labelledby="preise">
      <h2 id="preise" className={styles.title}>
        Preise
      </h2>
      <p className={styles.lead}>
        Einmal zahlen, so viele Gäste einladen, wie Sie wollen. In jedem Paket bleiben die Fotos bis {PHOTOS_KEPT_DAYS} Tage nach dem Event
        gespeichert.
      </p>
      <ul className={styles.prices}>
        {OFFERS.map(({ name, price, photos, storage, popular }) => (
          <li key={name} className={popular ? styles.popular : undefined}>
            <h3>
              {name}
              {popular && <span>beliebt</span>}
            </h3>
            <p className={styles.price}>{price}</p>
            <p className={styles.photos}>{photos}</p>
            <p className={styles.storage}>{storage}</p>
            <ButtonLink href={requestPath(name)} look={popular ? 'primary' : 'secondary'} wide>
              {name} anfragen
            </ButtonLink>
          </li>
        ))}
      </ul>
      <p className={styles.footnote}>
        Einmalige Zahlung je Event, kein Abo, {tax.smallBusiness ? 'keine Umsatzsteuer nach §\u00a019 UStG' : 'inkl. MwSt.'}. Die Zahl der
        Fotos ist geschätzt, mit <span className={styles.together}>ca. {MEGABYTES_PER_PHOTO} MB</span> je Foto; mehr passen hinein, solange
        der Speicher reicht.
      </p>
    </section>
  );
}
