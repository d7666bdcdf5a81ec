import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { QRCodeSVG } from 'qrcode.react';
import { useLive } from '../../lib/use-live.ts';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { useEventUrl } from '../../lib/event-url.ts';
import { useQuery } from '@tanstack/react-query';
import { dashboard } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { HostGuard } from '../../ui/host-guard.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Dashboard } from './dashboard.tsx';

/** /manage leads to the own event or to the login; /manage/{code} is the host's dashboard. */
export default function ManagePage({ code }: { code: string }) {
  return (
    <HostGuard code={code} failed={(error, onRetry) => <Failed code={code} error={error} onRetry={onRetry} />}>
      {(own) => <EventDashboard code={own} />}
    </HostGuard>
  );
}

function EventDashboard({ code }: { code: string }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['event', code],
    queryFn: () => call('GET /api/events/:ref', { params: { ref: code } }),
    refetchInterval: 30_000,
  });
  useLive(code, () => void refetch());
  if (data) return <Dashboard event={data} now={dataUpdatedAt} onChanged={refetch} />;
  if (!error) return <Waiting />;
  return <Failed code={code} error={error} onRetry={() => void refetch()} />;
}

function Failed({ code, error, onRetry }: { code: string; error: Error; onRetry(): void }) {
  const address = useEventUrl()(code);
  const notFound = isRefusal(error, 'event_not_found');
  return (
    <MessagePage
      title={notFound ? `${dashboard.notFound}: ${cleanEventCode(code)}` : dashboard.failed}
      actions={<Button onClick={onRetry}>Erneut versuchen</Button>}
    >
      {notFound ? (
        <>
          <QRCodeSVG value={address} size={150} marginSize={2} title="QR-Code zum Event" />
          <p>{address}</p>
        </>
      ) : (
        <p>{messageOf(error)}</p>
      )}
    </MessagePage>
  );
}
