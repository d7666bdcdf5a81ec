import { useSite } from '../../lib/use-site.ts';
import { BusinessCard } from '../../ui/business-card.tsx';
import styles from '../../ui/prose.module.css';
import { PublicPage } from '../../ui/public-page.tsx';

/** /impressum: who answers for this site. */
export default function ImprintPage() {
  const { business } = useSite();
  const { tax } = business;
  return (
    <PublicPage>
      <div className={styles.prose}>
        <h1 tabIndex={-1}>Impressum</h1>
        <h2>Angaben nach § 5 DDG</h2>
        <BusinessCard business={business} />
        {tax.register && <p>Registereintrag: {tax.register}</p>}
        {tax.vatId && <p>Umsatzsteuer-Identifikationsnummer: {tax.vatId}</p>}
        {tax.businessId && <p>Wirtschafts-Identifikationsnummer: {tax.businessId}</p>}
        {tax.supervisoryAuthority && <p>Aufsichtsbehörde: {tax.supervisoryAuthority}</p>}
        {tax.smallBusiness && <p>Kleinunternehmer nach § 19 UStG; es wird keine Umsatzsteuer ausgewiesen.</p>}
        <h2>Verbraucherstreitbeilegung</h2>
        <p>
          {business.disputes.disputeResolution ??
            'Wir nehmen an keinem Streitbeilegungsverfahren vor einer Verbraucherschlichtungsstelle teil und sind dazu nicht verpflichtet (§ 36 VSBG).'}
        </p>
        <h2>Kontaktstelle nach Art. 11 und 12 DSA</h2>
        <p>
          <a href={`mailto:${business.disputes.dsaContact.email}`}>{business.disputes.dsaContact.email}</a> (
          {business.disputes.dsaContact.languages}). Rechtswidrige Inhalte melden Sie bitte an{' '}
          <a href={`mailto:${business.disputes.reportEmail}`}>{business.disputes.reportEmail}</a> (Art. 16 DSA).
        </p>
        <h2>Barrierefreiheit</h2>
        <p>
          Wir gestalten diese Seiten nach den Richtlinien WCAG 2.2 AA.
          {business.accessibility.microEnterprise && ' Als Kleinstunternehmen sind wir vom Barrierefreiheitsstärkungsgesetz ausgenommen.'}
          {` Hindernisse melden Sie bitte an ${business.accessibility.contact}.`}
        </p>
      </div>
    </PublicPage>
  );
}
