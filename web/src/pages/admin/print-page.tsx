import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { MANY_EVENTS_MAX } from '@feierbild/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/client.ts';
import { CardSheets } from '../../cards/card-sheets.tsx';
import { plural } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { FailedPage, MessagePage } from '../../ui/message-page.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Slips } from './slips.tsx';

interface PrintProps {
  events: AdminEvent[];
  /** The link back. */
  actions: ReactNode;
  /** The note about missing events. */
  lead: ReactNode;
}

/** /admin/karten?events=…: the cards of events, for the tables. */
export function CardsPrintPage() {
  return <PrintPage>{(props) => <CardSheets {...props} link={null} />}</PrintPage>;
}

/** /admin/zettel?events=…: a slip for the host of each event. */
export function SlipsPrintPage() {
  return <PrintPage>{(props) => <Slips {...props} />}</PrintPage>;
}

/** Reads the events that the address names by their ids, and prints those that are not deleted. */
function PrintPage({ children }: { children(props: PrintProps): ReactNode }) {
  const [params] = useSearchParams();
  const wanted = (params.get('events') ?? '').split(',').filter(Boolean).slice(0, MANY_EVENTS_MAX);
  const ids = wanted.join(',');
  const { data, error, refetch } = useQuery({
    queryKey: ['print', ids],
    queryFn: ({ signal }) => call('GET /admin/events', { query: { ids, order: 'start' }, signal }),
  });
  const back = (
    <ButtonLink href="/admin" look="quiet">
      <ArrowLeft size={20} /> Events
    </ButtonLink>
  );
  if (error) return <FailedPage title="Drucken" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  const events = data.events.filter(({ purged_at }) => purged_at === null);
  const missing = wanted.length - events.length;
  if (events.length === 0) {
    return (
      <MessagePage title="Nichts zu drucken" actions={back}>
        <p>Diese Events gibt es nicht mehr, oder ihre Fotos sind gelöscht.</p>
      </MessagePage>
    );
  }
  const lead = (
    <p className="soft">
      {plural(events.length, '1 Event', '# Events')}
      {missing > 0 && `, ${plural(missing, '1 weiteres ist', '# weitere sind')} inzwischen gelöscht`}
    </p>
  );
  return children({ events, actions: back, lead });
}
