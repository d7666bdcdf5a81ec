import type { HostEvent } from '@feierbild/contract/entities.ts';
import { ArrowLeft } from 'lucide-react';
import { CardSheets } from '../../cards/card-sheets.tsx';
import { useGalleryLink } from '../../gallery/gallery-link.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { HostPage } from '../../ui/host-page.tsx';
import { Waiting } from '../../ui/spinner.tsx';

/** /manage/{code}/karten: invitations for the tables, to print in three designs and sizes. */
export default function CardsPage({ code }: { code: string }) {
  return <HostPage code={code}>{(event) => <Cards event={event} />}</HostPage>;
}

const UNKNOWN =
  'Ob diese Karten auch die Galerie für Gäste öffnen sollen, ist noch nicht bekannt; so öffnen sie nur die Seite zum Hochladen.';

function Cards({ event }: { event: HostEvent }) {
  const gallery = useGalleryLink(event.code, UNKNOWN);
  if (!gallery) return <Waiting />;
  const back = (
    <ButtonLink look="quiet" href={`/manage/${event.code}`}>
      <ArrowLeft size={20} /> Zum Event
    </ButtonLink>
  );
  return <CardSheets events={[event]} link={gallery.link} actions={back} lead={gallery.notice} />;
}
