import { Mail, MessageCircle, Phone, type LucideIcon } from 'lucide-react';
import { useBrowserValue } from '../../lib/query.ts';
import { requestedPackage, usePrices } from '../../lib/offer.ts';
import { useSite } from '../../lib/use-site.ts';
import { contact as texts, create, join } from '../../texts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PublicPage } from '../../ui/public-page.tsx';
import styles from './create.module.css';

/** /create: during the beta, events are requested from the operator; `?paket=` names the package that was chosen. */
export default function CreatePage() {
  const { brand, owner, street, zip, city } = useSite().business.identity;
  // The server renders one page for all, without a package.
  const prices = usePrices();
  const [chosen] = useBrowserValue(() => requestedPackage(window.location.search, prices), null);
  return (
    <PublicPage title={create.title} back={<Back>{join.back}</Back>}>
      <p>
        Feierbild ist in der Beta-Phase. Ein Event können Sie zurzeit nur bei uns anfragen: Rufen Sie an oder schreiben Sie uns, wir richten
        es für Sie ein und schicken Ihnen Code und Zugang.
      </p>
      <Notice kind="error" permanent>
        {create.notice}
      </Notice>
      <Ways chosen={chosen} />
      <address className={styles.address}>
        {brand}, {owner}, {street}, {zip} {city}
      </address>
      <Back>Zur Startseite</Back>
    </PublicPage>
  );
}

function Back({ children }: { children: string }) {
  return (
    <div>
      <ButtonLink href="/" look="quiet" className={styles.back ?? ''}>
        {children}
      </ButtonLink>
    </div>
  );
}

/** Links for calls, mail and chat; `chosen` is the package that the messages name. */
export function Ways({ chosen }: { chosen: string | null }) {
  const { phone, email, hours, whatsapp, whatsappShown } = useSite().business.contact;
  const about = chosen === null ? '' : ` Es geht um das Paket „${chosen}“.`;
  const subject = chosen === null ? '' : `?subject=${encodeURIComponent(`Anfrage für ein Event: Paket ${chosen}`)}`;
  return (
    <section aria-label="So erreichen Sie uns">
      {chosen !== null && (
        <p className={styles.chosen}>
          Ihre Wahl: <strong>{chosen}</strong>
        </p>
      )}
      <ul className={styles.ways}>
        {phone && <Way Icon={Phone} name="Anrufen" shown={phone.shown} hint={hours} href={`tel:${phone.e164}`} />}
        <Way
          Icon={Mail}
          name="E&#8209;Mail schreiben"
          shown={email}
          hint="Am besten mit Tag und ungefährer Zahl der Gäste"
          href={`mailto:${email}${subject}`}
        />
        {whatsapp && (
          <Way
            Icon={MessageCircle}
            name="WhatsApp"
            shown={whatsappShown}
            hint="Gehört zu Meta und verarbeitet Ihre Nachricht auch in den USA"
            href={`https://wa.me/${whatsapp.slice(1)}?text=${encodeURIComponent(texts.whatsapp + about)}`}
          />
        )}
      </ul>
    </section>
  );
}

interface WayProps {
  Icon: LucideIcon;
  name: string;
  /** The number or address as people write it. */
  shown?: string | undefined;
  hint?: string | undefined;
  href: string;
}

function Way({ Icon, name, shown, hint, href }: WayProps) {
  return (
    <li>
      <a href={href} {...(href.startsWith('https:') && { target: '_blank', rel: 'noopener noreferrer' })}>
        <Icon size={28} />
        <span className={styles.way}>
          <strong>{name}</strong>
          {shown && <span className={styles.shown}>{shown}</span>}
          {hint && <span className={styles.hint}>{hint}</span>}
        </span>
      </a>
    </li>
  );
}
