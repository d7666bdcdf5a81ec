import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { QRCodeSVG } from 'qrcode.react';
import { useLive } from '../../lib/use-live.ts';
import { isRefusal } from '../../api/client.ts';
import { useEventUrl } from '../../lib/event-url.ts';
import { useQuery } from '@tanstack/react-query';
import { dashboard } from '../../texts.ts';
import { eventQuery, HostGuard } from '../../ui/host-guard.tsx';
import { FailedPage, type Failure } from '../../ui/message-page.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Dashboard } from './dashboard.tsx';

/** /manage leads to the own event or to the login; /manage/{code} is the host's dashboard. */
export default function ManagePage({ code }: { code: string }) {
  return (
    <HostGuard code={code} Failed={Failed}>
      {(own) => <EventDashboard code={own} />}
    </HostGuard>
  );
}

function EventDashboard({ code }: { code: string }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery({ ...eventQuery(code), refetchInterval: 30_000 });
  useLive(code, () => void refetch());
  if (data) return <Dashboard event={data} now={dataUpdatedAt} onChanged={refetch} />;
  return error ? <Failed code={code} error={error} onRetry={() => void refetch()} /> : <Waiting />;
}

function Failed({ code, error, onRetry }: Failure) {
  const address = useEventUrl()(code);
  if (!isRefusal(error, 'event_not_found')) return <FailedPage title={dashboard.failed} error={error} onRetry={onRetry} />;
  return (
    <FailedPage title={`${dashboard.notFound}: ${cleanEventCode(code)}`} error={error} onRetry={onRetry}>
      <QRCodeSVG value={address} size={150} marginSize={2} title="QR-Code zum Event" />
      <p>{address}</p>
    </FailedPage>
  );
}
