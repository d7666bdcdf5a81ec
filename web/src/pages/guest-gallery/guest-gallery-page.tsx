import { GUEST_GALLERY_REFRESH } from '@feierbild/contract/constants.ts';
import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { Camera, Hourglass, KeyRound } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { call, isRefusal, messageOf, type ApiError } from '../../api/client.ts';
import { deviceId } from '../../api/device-id.ts';
import { useLinkSession } from '../../lib/use-link-session.ts';
import { usePalette } from '../../lib/use-palette.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Queries } from '../../lib/queries.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { GuestGallery } from './guest-gallery.tsx';
import { ask } from './read-gallery.ts';

const t = galleryTexts.gallery;

/** /galerie/{code}: what all guests may see. A link opens it, or that this browser sent photos. */
export default function GuestGalleryPage({ code: raw }: { code: string }) {
  const code = cleanEventCode(raw);
  return (
    <Queries>
      <Entrance key={code} code={code} />
    </Queries>
  );
}

function Entrance({ code }: { code: string }) {
  const [event, setEvent] = useState<GuestEvent | null>(null);
  const enter = useCallback(async () => {
    // With the id that its own photos have; hearts are counted by it.
    const device = await deviceId();
    setEvent(await call('GET /event/:code', { params: { code } }));
    await ask(code, { after: 0, per_page: 1 }).catch(async (error: unknown) => {
      if (!isRefusal(error, 'login_required')) throw error;
      await call('POST /auth/gallery/login', { body: { code }, headers: { 'device-id': device } });
      await ask(code, { after: 0, per_page: 1 });
    });
  }, [code]);
  usePalette(event === null ? undefined : (event.look?.palette ?? null));
  const entered = useLinkSession('gallery', code, enter);

  if (entered.state === 'opening') return <Waiting />;
  if (entered.state === 'open' && event) return <GuestGallery code={code} event={event} onClosed={entered.again} />;
  const error = entered.state === 'failed' ? entered.error : null;
  if (isRefusal(error, 'gallery_closed')) return <Closed code={code} refusal={error} onOpen={entered.again} />;
  return <NoEntry code={code} error={error} onRetry={entered.again} />;
}

/** Before the reveal: when it comes, as far as that is known, and how many photos wait. Opens by itself. */
export function Closed({ code, refusal, onOpen }: { code: string; refusal: Pick<ApiError, 'closed'>; onOpen(): void }) {
  const [count, setCount] = useState(refusal.closed.count);
  const { opens_at: opens } = refusal.closed;
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState !== 'visible') return;
      ask(code, { after: 0, per_page: 1 }).then(onOpen, (error: unknown) => {
        if (isRefusal(error, 'gallery_closed')) setCount(error.closed.count);
        // A new link, or no gallery any more: what is left is said by who enters anew.
        else if (isRefusal(error, 'login_required')) onOpen();
      });
    };
    const timer = setInterval(look, GUEST_GALLERY_REFRESH);
    return () => clearInterval(timer);
  }, [code, onOpen]);
  return (
    <MessagePage
      title={t.closed}
      icon={<Hourglass size={30} aria-hidden="true" />}
      actions={
        <ButtonLink href={`/event/${code}`}>
          <Camera size={20} /> {t.send}
        </ButtonLink>
      }
    >
      <p>{opens ? t.closedUntil(opens) : t.closedOpen}</p>
      <p role="status">{t.counted(count)}</p>
    </MessagePage>
  );
}

/** Neither link nor session nor own photos open it, or the server does not answer. */
export function NoEntry({ code, error, onRetry }: { code: string; error: unknown; onRetry(): void }) {
  const unknown = isRefusal(error, 'event_not_found', 'event_inactive');
  if (!unknown && !isRefusal(error, 'invalid_credentials', 'login_required'))
    return (
      <MessagePage title={t.failed} actions={<Button onClick={onRetry}>{t.retry}</Button>}>
        <p>{messageOf(error)}</p>
      </MessagePage>
    );
  return (
    <MessagePage
      title={t.noAccess}
      icon={<KeyRound size={30} aria-hidden="true" />}
      actions={!unknown && <ButtonLink href={`/event/${code}`}>{t.toEvent}</ButtonLink>}
    >
      <p>{unknown ? messageOf(error) : t.noAccessText}</p>
    </MessagePage>
  );
}
