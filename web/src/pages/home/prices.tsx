import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { formatNumber } from '../../lib/format.ts';
import { INDIVIDUAL, MEGABYTES_PER_PHOTO, PACKAGES } from '../../lib/offer.ts';
import { useSite } from '../../lib/use-site.ts';
import { ButtonLink } from '../../ui/button.tsx';
import styles from './home-page.module.css';

/** The price table; during the beta each package is asked for. */
export function Prices() {
  const { tax } = useSite().business;
  return (
    <section aria-labelledby="preise">
      <h2 id="preise" className={styles.title}>
        Preise
      </h2>
      <p className={styles.lead}>Einmal zahlen, so viele Gäste einladen, wie Sie wollen. Kein Abo.</p>
      <ul className={styles.prices}>
        {PACKAGES.map(({ name, price, photos, gigabytes, ...rest }) => (
          <Package
            key={name}
            name={name}
            price={`${formatNumber(price)} €`}
            lines={[`ca. ${formatNumber(photos)} Fotos`, `${gigabytes} GB Speicher`]}
            popular={'popular' in rest}
          />
        ))}
        <Package name={INDIVIDUAL.name} price="auf Anfrage" lines={['mehr Fotos', `${INDIVIDUAL.gigabytes}+ GB Speicher`]} />
      </ul>
      <p className={styles.footnote}>
        Einmalige Zahlung je Event, {tax.smallBusiness ? 'keine Umsatzsteuer nach §\u00a019 UStG' : 'inkl. MwSt.'}. Fotos bleiben{' '}
        {PHOTOS_KEPT_DAYS} Tage nach dem Event gespeichert. Die Zahl der Fotos ist geschätzt, mit ca. {MEGABYTES_PER_PHOTO} MB je Foto; mehr
        passen hinein, solange der Speicher reicht.
      </p>
    </section>
  );
}

interface PackageProps {
  name: string;
  price: string;
  lines: string[];
  popular?: boolean;
}

function Package({ name, price, lines, popular = false }: PackageProps) {
  return (
    <li className={popular ? styles.popular : undefined}>
      <h3>
        {name}
        {popular && <span>beliebt</span>}
      </h3>
      <p className={styles.price}>{price}</p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>einmalig, {PHOTOS_KEPT_DAYS} Tage Speicherung</p>
      <ButtonLink href="/create" look={popular ? 'primary' : 'secondary'} wide>
        {name} anfragen
      </ButtonLink>
    </li>
  );
}
