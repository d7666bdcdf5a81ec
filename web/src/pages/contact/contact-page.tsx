import { useSite } from '../../lib/use-site.ts';
import { contact } from '../../texts.ts';
import { Headline } from '../../ui/headline.tsx';
import { BusinessCard } from '../../ui/business-card.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import prose from '../../ui/prose.module.css';
import { ReportForm } from '../../ui/report-form.tsx';
import { PublicPage } from '../../ui/public-page.tsx';
import { Map } from './map.tsx';

/** /kontakt: every way to the operator. */
export default function ContactPage() {
  const { business } = useSite();
  const { whatsapp, whatsappShown } = business.contact;
  return (
    <PublicPage>
      <div className={prose.prose}>
        <Headline>Kontakt</Headline>
        <p>
          Rufen Sie an, schreiben Sie uns oder kommen Sie vorbei. Für ein Event brauchen wir nur den Tag und ungefähr, wie viele Gäste
          kommen.
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
          Sie sind auf einem Foto zu sehen und möchten das nicht, oder Sie halten ein Foto für rechtswidrig? Sprechen Sie zuerst den
          Gastgeber an: Er kann jedes Foto seines Events sofort löschen. Sonst sagen Sie es uns hier.
        </p>
        <ReportForm />
      </div>
    </PublicPage>
  );
}
