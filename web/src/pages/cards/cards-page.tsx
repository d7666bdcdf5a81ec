import type { HostEvent } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { CardSheets } from '../../cards/card-sheets.tsx';
import { galleryQuery } from '../../gallery/gallery-query.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { HostPage } from '../../ui/host-page.tsx';
import { Failed } from '../../ui/loaded.tsx';
import { Waiting } from '../../ui/spinner.tsx';

/** /manage/{code}/karten: invitations for the tables, to print in three designs and sizes. */
export default function CardsPage({ code }: { code: string }) {
  return <HostPage code={code}>{(event) => <Cards event={event} />}</HostPage>;
}

function Cards({ event }: { event: HostEvent }) {
  const { data, error, isFetched, refetch } = useQuery(galleryQuery(event.code));
  const back = (
    <ButtonLink look="quiet" href={`/manage/${event.code}`}>
      <ArrowLeft size={20} /> Zum Event
    </ButtonLink>
  );
  // Cards are printed once: without an answer nobody knows whether their code is to open the gallery, too.
  // A later read takes no choice away.
  if (!isFetched) return <Waiting />;
  const unknown = !data && (
    <>
      <p>Ob diese Karten auch die Galerie für Gäste öffnen sollen, ist noch nicht bekannt; so öffnen sie nur die Seite zum Hochladen.</p>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
    </>
  );
  return <CardSheets events={[event]} link={data?.url ?? null} actions={back} lead={unknown} />;
}
