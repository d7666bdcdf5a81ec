import { GUEST_GALLERY_REFRESH } from '@feierbild/contract/constants.ts';
import type { DrawnEvent, GuestEvent } from '@feierbild/contract/entities.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { Camera, Hourglass, KeyRound } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, drawnRefusal, isRefusal, messageOf, type ApiError } from '../../api/client.ts';
import { onReturn, tryAgain, VISITOR_RETRY_MS } from '../../lib/backoff.ts';
import { throttle } from '../../lib/throttle.ts';
import { useLinkSession } from '../../lib/use-link-session.ts';
import { usePalette } from '../../lib/use-palette.ts';
import { useSite } from '../../lib/use-site.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { shell } from '../../texts/guest/shell.ts';
import { AboutEvent } from '../../ui/about-event.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CookiesBlocked, isWithoutCookie } from '../../ui/cookies-blocked.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { GuestGallery } from './guest-gallery.tsx';
import { createVisit, knock } from './visit.ts';

/** Refusals that no further attempt of the page changes. */
const FINAL = ['invalid_credentials', 'login_required', 'gallery_closed', 'event_not_found', 'event_inactive'] as const;

/** /galerie/{code}: the photos that all guests may see. It opens by a link, or because this browser sent photos. */
export default function GuestGalleryPage({ code: raw }: { code: string }) {
  const code = cleanEventCode(raw);
  return <Entrance key={code} code={code} />;
}

function Entrance({ code }: { code: string }) {
  const { event: drawn } = useSite();
  const [known, setKnown] = useState(() => (drawn && 'event' in drawn ? drawn.event : null));
  const [event, setEvent] = useState(known);
  const [refusal] = useState(() => refusalIn(drawn));
  /** The refusal in the document, which replaces the first answer. */
  const unasked = useRef(refusal);
  const [visit, setVisit] = useState(() => createVisit(code));
  const enter = useCallback(async () => {
    const answered = unasked.current;
    unasked.current = null;
    if (answered) throw answered;
    const asked = known === null ? call('GET /event/:code', { params: { code } }).then(setEvent) : null;
    const entering = visit.enter().catch(async (error: unknown) => {
      // That there is no such event any more says more than that its link does not open it.
      await asked;
      throw error;
    });
    await Promise.all([entering, asked]);
  }, [code, known, visit]);
  usePalette(event === null ? undefined : (event.look?.palette ?? null));
  const entered = useLinkSession('gallery', code, enter, visit.opened);
  const { attempt, again } = entered;
  const isOpening = entered.state === 'opening';
  const error = entered.state === 'failed' ? entered.error : null;
  /** The shown error, which stays during another attempt. */
  const [told, setTold] = useState<unknown>(refusal);
  if (error !== null && error !== told) setTold(error);
  if (entered.state === 'open' && told !== null) setTold(null);

  useEffect(() => {
    if (error !== null && !isRefusal(error, ...FINAL)) return tryAgain(attempt, again);
  }, [error, attempt, again]);

  /** Reads the event again for a guest who comes back: the host may have changed its look, or what guests may download. */
  const [refresh] = useState(() =>
    throttle(() => void call('GET /event/:code', { params: { code } }).then(setEvent, () => undefined), VISITOR_RETRY_MS),
  );
  useEffect(() => onReturn(refresh), [refresh]);

  const onClosed = useCallback((): void => {
    setVisit(createVisit(code));
    setKnown(null);
    again();
  }, [code, again]);

  if (told !== null && isRefusal(told, 'gallery_closed')) return <Closed code={code} event={event} refusal={told} onOpen={again} />;
  if (told !== null) return <NoEntry code={code} event={event} error={told} busy={isOpening} onRetry={again} />;
  return event ? <GuestGallery code={code} event={event} visit={visit} onClosed={onClosed} /> : <Waiting />;
}

/** Returns the refusal that the server has written into the document, or null. */
function refusalIn(drawn: DrawnEvent | undefined): ApiError | null {
  return drawn && 'refused' in drawn ? drawnRefusal(drawn.refused) : null;
}

interface Told {
  code: string;
  /** The event; null if it is unknown. */
  event: Pick<GuestEvent, 'title' | 'with_user_upload'> | null;
}

/** The page before the reveal, with its time, if that is known, and the number of waiting photos. It opens by itself. */
export function Closed({ code, event, refusal, onOpen }: Told & { refusal: Pick<ApiError, 'closed'>; onOpen(): void }) {
  const t = galleryTexts.gallery;
  /** The latest answer, because the host may have changed the time. */
  const [{ count, opens_at: opens }, setClosed] = useState(refusal.closed);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState !== 'visible') return;
      knock(code).then(onOpen, (error: unknown) => {
        if (isRefusal(error, 'gallery_closed')) setClosed(error.closed);
        // The link was replaced, or the gallery ended; a new attempt to enter tells which.
        else if (isRefusal(error, 'login_required')) onOpen();
      });
    };
    const timer = setInterval(look, GUEST_GALLERY_REFRESH);
    const leave = onReturn(look);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [code, onOpen]);
  return (
    <MessagePage
      title={t.closed}
      icon={<Hourglass size={30} />}
      actions={
        event?.with_user_upload !== false && (
          <ButtonLink href={`/event/${code}`}>
            <Camera size={20} /> {t.send}
          </ButtonLink>
        )
      }
    >
      <AboutEvent event={event} />
      <p>{opens ? t.closedUntil(opens) : t.closedOpen}</p>
      <p role="status">{t.counted(count)}</p>
    </MessagePage>
  );
}

/** The page for visitors whom neither link nor session nor own photos let in, or to whom the server does not answer. */
export function NoEntry({ code, event, error, busy, onRetry }: Told & { error: unknown; busy: boolean; onRetry(): void }) {
  const t = galleryTexts.gallery;
  const unknown = isRefusal(error, 'event_not_found', 'event_inactive');
  if (isWithoutCookie(error))
    return (
      <CookiesBlocked>
        <AboutEvent event={event} />
      </CookiesBlocked>
    );
  if (!isRefusal(error, ...FINAL))
    return (
      <MessagePage
        title={t.failed}
        actions={
          <Button busy={busy} onClick={onRetry}>
            {shell.retry}
          </Button>
        }
      >
        <AboutEvent event={event} />
        <p>{messageOf(error)}</p>
        <p>{t.againByItself}</p>
      </MessagePage>
    );
  return (
    <MessagePage
      title={t.noAccess}
      icon={<KeyRound size={30} />}
      actions={!unknown && <ButtonLink href={`/event/${code}`}>{t.toEvent}</ButtonLink>}
    >
      <AboutEvent event={event} />
      <p>{unknown ? messageOf(error) : t.noAccessText}</p>
    </MessagePage>
  );
}
