import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { GuestEvent, Photo } from '@feierbild/contract/entities.ts';
import { ImagePlus, Lock } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useLeaveGuard } from '../../lib/leave-guard.ts';
import { queryParameter } from '../../lib/query.ts';
import { setTitle } from '../../lib/title.ts';
import { TOUCH_MS } from '../../lib/touch.ts';
import { useSite } from '../../lib/use-site.ts';
import { t } from '../../texts/guest/guest.ts';
import { shell } from '../../texts/guest/shell.ts';
import { Field } from '../../ui/field.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Logo, PageShell, pictureOf } from '../../ui/page-shell.tsx';
import { TitlePicture } from '../../ui/title-picture.tsx';
import { PhotoTile } from './photo-tile.tsx';
import grid from './photo-tile.module.css';
import { createItem, isAtRisk, isMissing, isOwed, isStored, isUnsent } from './item.ts';
import { isRunning, isStuck } from './machine.ts';
import { leftOf } from './queue/selection.ts';
import { ReportLink } from './report-link.tsx';
import { seenBy } from './seen-by.ts';
import { Announcer, UploadBar } from './upload-bar.tsx';
import styles from './upload-form.module.css';
import { createUploadQueue } from './upload-queue.ts';
import type { GalleryAccess } from './use-gallery-access.ts';
import { useConsent, useName } from './use-guest.ts';
import { useAfterPaint } from './use-after-paint.ts';
import { MY_PHOTOS, useMyPhotos } from './use-my-photos.ts';
import type { Sender } from './wire/transfer.ts';

interface UploadFormProps {
  code: string;
  event: GuestEvent;
  /** Null until the server has answered; nothing is sent before. */
  deviceId: string | null;
  /** The reason why the server has not answered. */
  waitsFor: 'line' | 'server' | 'way' | null;
  access: GalleryAccess;
  /** Called before something is chosen. */
  onPick(): void;
}

/** The guest's page with its form: name, photos, consent, one button. */
export function UploadForm({ code, event, deviceId, waitsFor, access, onPick }: UploadFormProps) {
  const { business, brand: { logo } = {} } = useSite();
  const [password, setPassword] = useState(() => queryParameter('password'));
  const [name, setName] = useName();
  const picker = useRef<HTMLInputElement>(null);
  /** The input whose picker was opened last. Some browsers forget an input that nothing names, and its choice. */
  const opened = useRef<EventTarget>(null);
  const [consent, setConsent] = useConsent(code);
  const { mine, fresh, onStored, askAgain: askMine, remove: removeStored } = useMyPhotos(code, deviceId);
  const takesVideos = event.with_videos;
  const uploads = useUploads(code, onStored, askMine);
  const { items, dispatch, send, know, prepare } = uploads;
  useEffect(() => know(mine), [know, mine]);
  const askAgain = access.again;
  useEffect(() => {
    if (mine.length > 0) askAgain();
  }, [mine, askAgain]);
  const afterPaint = useAfterPaint();
  const running = isRunning(uploads);
  const stuck = isStuck(uploads);

  // After a run, stored photos are shown under „Meine Fotos“ only.
  const shown = items.filter((item) => !item.earlier && (running || stuck || !isStored(item)));
  /** Whether the run is over and something arrived. */
  const over = !running && items.some(isStored) && !items.some((item) => isUnsent(item) || isMissing(item));
  const choosing = items.length === 0;
  const { gallery } = event;
  const seen = seenBy(event);
  const ownLater = gallery !== undefined && !gallery.open && !gallery.own_meanwhile;
  const own = afterPaint && !ownLater && mine.length > 0 && (
    <afterPaint.MyPhotos photos={mine} fresh={fresh} onRemove={removeStored} locked={running} />
  );

  /** The sender; null until this browser's id is known. */
  const sender: Sender | null = deviceId === null ? null : { code, deviceId, deviceName: name.trim() || ANONYMOUS, password };

  // A consent from an earlier visit lets its submitted items continue. A later consent takes effect with a press on the button.
  const touched = useRef(false);
  const agreed = items.some((item) => item.earlier && isOwed(item));
  const resume = useEffectEvent(() => {
    if (!sender || touched.current) return;
    setConsent(true);
    send('agreed', sender);
  });
  useEffect(() => {
    if (agreed && deviceId !== null) resume();
  }, [agreed, deviceId]);

  function unlock(typed: string): void {
    setPassword(typed);
    // A reload of the page finds the password in the address, beside the language.
    const address = new URL(window.location.href);
    address.searchParams.set('password', typed);
    window.history.replaceState(window.history.state, '', address);
    if (consent && sender) send('pressed', { ...sender, password: typed });
  }

  async function stop(): Promise<void> {
    await uploads.stop();
    // The pressed button is gone, and the focus with it.
    if (document.activeElement === document.body) picker.current?.focus();
  }

  function pick(input: HTMLInputElement): void {
    dispatch({ type: 'chosen', items: [...(input.files ?? [])].map((file) => createItem(file)) });
    // A removed file can be picked again.
    input.value = '';
  }
  // The guest may have picked files in the server-rendered page before this code ran.
  const pickEarly = useEffectEvent(() => picker.current?.files?.length && pick(picker.current));
  useEffect(() => void pickEarly(), []);

  const takenOutAt = useRef(0);
  /** Removes an item. The focus moves to the next tile, else to the one before, else to the picker. */
  const takeOut = useCallback(
    (id: string, tile: HTMLElement): void => {
      const now = performance.now();
      if (now - takenOutAt.current < TOUCH_MS) return;
      takenOutAt.current = now;
      const place = tile.parentElement;
      const neighbour = (place?.nextElementSibling ?? place?.previousElementSibling)?.querySelector('button');
      if (document.activeElement === tile) (neighbour ?? picker.current)?.focus();
      dispatch({ type: 'removed', id });
    },
    [dispatch],
  );

  const choice = (
    <div className={`${styles.choice} ${choosing ? '' : styles.row}`}>
      <label className={`${styles.picker} ${running ? styles.off : ''}`}>
        <ImagePlus />
        {t.form.pick}
        <input
          ref={(input) => {
            // React hears nothing of an input that it has taken out of the page, such as one whose picker is still open.
            if (input) (picker.current = input).onchange = () => pick(input);
          }}
          type="file"
          accept={takesVideos ? 'image/*,video/*' : 'image/*'}
          multiple
          className="visually-hidden"
          disabled={running}
          onClick={({ target }) => {
            opened.current = target;
            prepare();
            onPick();
          }}
        />
      </label>
      {choosing && own && (
        <a className={styles.own} href={`#${MY_PHOTOS}`}>
          {t.form.own(mine.length)}
        </a>
      )}
    </div>
  );

  return (
    <PageShell
      width="narrow"
      header={false}
      footer={false}
      bar={
        <UploadBar
          items={items}
          takesVideos={takesVideos}
          seenBy={seen}
          running={running}
          consent={consent}
          ready={sender !== null}
          onConsent={(agreed) => {
            touched.current = true;
            setConsent(agreed);
            if (!agreed) void stop();
          }}
          onStart={() => sender && send('pressed', sender)}
          more={over && choice}
        />
      }
      below={choosing && own}
    >
      <div className={styles.page}>
        <div className={styles.about}>
          <EventHead event={event} large={choosing} />
          {afterPaint && <afterPaint.InApp />}
          {!over && (
            <Field
              label={t.form.name}
              value={name}
              autoComplete="given-name"
              maxLength={DEVICE_NAME_LENGTH}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </div>
        <div className={styles.work}>
          {over
            ? afterPaint && (
                <afterPaint.Thanks
                  name={name.trim()}
                  items={items}
                  event={{ code, title: event.title }}
                  gallery={gallery && access.open ? `/galerie/${code}` : undefined}
                />
              )
            : choice}
          {waitsFor && <Notice kind="warning">{t.status.stuck[waitsFor]}</Notice>}
          {afterPaint && <afterPaint.UploadStatus {...uploads} onStop={() => void stop()} />}
          {afterPaint && !running && <afterPaint.UploadFailures items={items} waiting={stuck} partly={over} onPassword={unlock} />}
          {shown.length > 0 && (
            <ul className={grid.grid} aria-label={t.form.chosen}>
              {shown.map((item) => (
                <li key={item.id}>
                  <PhotoTile
                    item={item}
                    reason={item.failure && (afterPaint?.shortReason(item.failure) ?? '')}
                    locked={running}
                    resends={(running || stuck) && isOwed(item)}
                    onRemove={takeOut}
                  />
                </li>
              ))}
            </ul>
          )}
          {!choosing && own}
        </div>
        <div className={styles.end}>
          <p className={styles.private}>
            <Lock size={16} />
            {`${gallery ? '' : t.form.private} ${choosing ? seen : ''} ${gallery ? t.form.sealed : ''}`}
          </p>
          {gallery?.photos_per_device && <p>{t.form.perDevice(gallery.photos_per_device)}</p>}
          {ownLater && <p>{t.form.ownLater}</p>}
          {gallery && access.open && !over && (
            // The gallery opens in another tab, because leaving this one would lose the selection.
            <a href={`/galerie/${code}`} target="_blank" rel="noopener">
              {t.form.gallery}
            </a>
          )}
          <div className={styles.foot}>
            {logo && <Logo {...pictureOf(logo)} name={business.identity.brand} share={0.6} />}
            <span>Feierbild Beta</span>
            <ReportLink code={code} locked={running} />
            {/* These pages open in another tab, because leaving this one would lose the selection. */}
            <a href="/datenschutz" target="_blank" rel="noopener">
              {shell.privacy}
            </a>
            <a href="/impressum" target="_blank" rel="noopener">
              {shell.imprint}
            </a>
          </div>
        </div>
      </div>
      <Announcer {...uploads} />
    </PageShell>
  );
}

/** Opens the page's upload queue for an event. The functions must stay the same. */
function useUploads(code: string, ...told: [onStored: (photos: Photo[]) => void, onWithdrawn: () => void]) {
  const [queue] = useState(() => createUploadQueue(code, ...told));
  useEffect(() => queue.open(), [queue]);
  const state = useSyncExternalStore(queue.subscribe, queue.current, queue.current);
  const left = leftOf(state.items);
  useEffect(() => {
    setTitle({ left });
    // The badge is on the icon of a page that was added to the home screen.
    void navigator.setAppBadge?.(left).catch(() => undefined);
    return () => setTitle({ left: 0 });
  }, [left]);
  useLeaveGuard(state.items.some(isAtRisk), isRunning(state) || isStuck(state) ? t.leave.uploading : t.leave.unsent);
  return { ...queue, ...state };
}

/** The event's title and texts; `large` while nothing is chosen. */
export function EventHead({ event, large = true }: { event: GuestEvent; large?: boolean }) {
  return (
    <div className={`${styles.head} ${large ? styles.large : ''}`}>
      {large && event.look?.title_picture && <TitlePicture src={event.look.title_picture} />}
      <Headline translate="no">
        <bdi>{event.title}</bdi>
      </Headline>
      {event.subtitle && (
        <p translate="no" className={styles.subtitle}>
          <bdi>{event.subtitle}</bdi>
        </p>
      )}
      {large && event.look?.welcome && (
        <p>
          <bdi>{event.look.welcome}</bdi>
        </p>
      )}
    </div>
  );
}
