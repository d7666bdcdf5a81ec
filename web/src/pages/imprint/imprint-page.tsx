import { useSite } from '../../lib/use-site.ts';
import { BusinessCard, PublicPage } from '../../ui/public-page.tsx';

/** /impressum: the legally responsible operator of this site. */
export default function ImprintPage() {
  const { identity, tax, disputes, accessibility } = useSite().business;
  return (
    <PublicPage title="Impressum">
      <h2>Angaben nach §&nbsp;5 DDG</h2>
      <BusinessCard />
      {identity.legalForm && <p>Rechtsform: {identity.legalForm}</p>}
      {identity.representatives && <p>Vertreten durch: {identity.representatives.join(', ')}</p>}
      {tax.register && <p>Registereintrag: {tax.register}</p>}
      {tax.vatId && <p>Umsatzsteuer-Identifikationsnummer nach §&nbsp;27a UStG: {tax.vatId}</p>}
      {tax.businessId && <p>Wirtschafts-Identifikationsnummer nach §&nbsp;139c AO: {tax.businessId}</p>}
      {tax.supervisoryAuthority && <p>Aufsichtsbehörde: {tax.supervisoryAuthority}</p>}
      {tax.smallBusiness && <p>Kleinunternehmer nach §&nbsp;19 UStG: Es wird keine Umsatzsteuer berechnet.</p>}

      <h2>Streitbeilegung</h2>
      <p>
        {disputes.disputeResolution ??
          'Wir sind nicht bereit und nicht verpflichtet, an einem Streitbeilegungsverfahren vor einer Verbraucherschlichtungsstelle teilzunehmen (§\u00a036 VSBG).'}
      </p>

      <h2>Kontaktstelle nach der Verordnung (EU) 2022/2065</h2>
      <p>
        Behörden und Nutzer erreichen uns unmittelbar unter <a href={`mailto:${disputes.dsaContact.email}`}>{disputes.dsaContact.email}</a>,
        Sprachen: {disputes.dsaContact.languages} (Art. 11 und 12). Rechtswidrige Fotos melden Sie bitte über das Formular auf der{' '}
        <a href="/kontakt">Kontaktseite</a> oder an <a href={`mailto:${disputes.reportEmail}`}>{disputes.reportEmail}</a> (Art. 16).
      </p>

      <h2>Barrierefreiheit</h2>
      <p>
        Wir gestalten diese Seiten nach den Richtlinien WCAG 2.2, Stufe AA.
        {accessibility.microEnterprise && ' Als Kleinstunternehmen sind wir vom Barrierefreiheitsstärkungsgesetz (BFSG) ausgenommen.'}{' '}
        Stoßen Sie auf ein Hindernis, schreiben Sie uns bitte: {accessibility.contact}. Was geprüft ist und welche Grenzen bekannt sind,
        steht unter <a href="/barrierefreiheit">Barrierefreiheit</a>.
      </p>
    </PublicPage>
  );
}
