import type { HostEvent } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { CardSheets } from '../../cards/card-sheets.tsx';
import { galleryQuery } from '../../gallery/gallery-query.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { HostPage } from '../../ui/host-page.tsx';

/** /manage/{code}/karten: invitations for the tables, to print in three designs and sizes. */
export default function CardsPage({ code }: { code: string }) {
  return <HostPage code={code}>{(event) => <Cards event={event} />}</HostPage>;
}

function Cards({ event }: { event: HostEvent }) {
  const link = useQuery(galleryQuery(event.code)).data?.url ?? null;
  const back = (
    <ButtonLink look="quiet" href={`/manage/${event.code}`}>
      <ArrowLeft size={20} /> Zum Event
    </ButtonLink>
  );
  return <CardSheets events={[event]} link={link} actions={back} />;
}
