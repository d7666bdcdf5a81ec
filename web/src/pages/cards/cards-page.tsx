import type { HostEvent } from '@feierbild/contract/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { CardSheets } from '../../cards/card-sheets.tsx';
import { galleryQuery } from '../../gallery/gallery-query.ts';
import { usePalette } from '../../lib/use-palette.ts';
import { dashboard } from '../../texts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { eventQuery, HostGuard } from '../../ui/host-guard.tsx';
import { FailedPage, type Failure } from '../../ui/message-page.tsx';
import { Waiting } from '../../ui/spinner.tsx';

/** /manage/{code}/karten: invitations for the tables, to print in three designs and sizes. */
export default function CardsPage({ code }: { code: string }) {
  return (
    <HostGuard code={code} Failed={Failed}>
      {(own) => <EventCards code={own} />}
    </HostGuard>
  );
}

function EventCards({ code }: { code: string }) {
  const { data, error, refetch } = useQuery(eventQuery(code));
  if (data) return <Cards event={data} />;
  return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Waiting />;
}

function Failed({ error, onRetry }: Omit<Failure, 'code'>) {
  return <FailedPage title={dashboard.failed} error={error} onRetry={onRetry} />;
}

function Cards({ event }: { event: HostEvent }) {
  const link = useQuery(galleryQuery(event.code)).data?.url ?? null;
  usePalette(event.look.palette);
  const back = (
    <ButtonLink look="quiet" href={`/manage/${event.code}`}>
      <ArrowLeft size={20} /> Zum Event
    </ButtonLink>
  );
  return <CardSheets events={[event]} link={link} actions={back} />;
}
