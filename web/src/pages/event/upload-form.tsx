import { ANONYMOUS, DEVICE_NAME_LENGTH } from '@feierbild/contract/constants.ts';
import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { ImagePlus, Lock } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { useInBrowser } from '../../lib/query.ts';
import { recall, remember } from '../../lib/storage.ts';
import { upload } from '../../texts.ts';
import { Field } from '../../ui/field.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { EventHead } from './event-head.tsx';
import { summariseFailures } from './failures.ts';
import { MY_PHOTOS, MyPhotos } from './my-photos.tsx';
import { PasswordAgain } from './password-again.tsx';
import { PhotoTile } from './photo-tile.tsx';
import { ReportLink } from './report-link.tsx';
import { Thanks } from './thanks.tsx';
import grid from './photo-tile.module.css';
import { limitsOf } from './limits.ts';
import { isOwed, isSettled, type Item } from './selection.ts';
import type { Sender } from './send-file.ts';
import { isDone, UploadBar } from './upload-bar.tsx';
import styles from './upload-form.module.css';
import { UploadFailures } from './upload-failures.tsx';
import { UploadStatus } from './upload-status.tsx';
import { useConsent } from './use-consent.ts';
import { useMyPhotos } from './use-my-photos.ts';
import { useUploads } from './use-uploads.ts';
import { useVideos } from './video/use-videos.ts';

interface UploadFormProps {
  code: string;
  event: GuestEvent;
  /** Null until the server has answered; nothing is sent before. */
  deviceId: string | null;
  password: string;
}

/** The guest's page when everything is ready: name, photos, consent, one button. */
export function UploadForm({ code, event, deviceId, password: given }: UploadFormProps) {
  const [password, setPassword] = useState(given);
  const [name, setName] = useName();
  const picker = useRef<HTMLInputElement>(null);
  const [consent, setConsent] = useConsent(code);
  const { mine, fresh, refresh, onStored, remove: removeStored } = useMyPhotos(code, deviceId);
  const takesVideos = event.with_videos;
  const videos = useVideos(takesVideos);
  const maxBytes = useMaxBytes(code);
  const uploads = useUploads(code, onStored);
  const { items, running, waiting, add, remove, start, goOn, withdraw } = uploads;

  const failures = running ? [] : summariseFailures(items, waiting, videos);

  // After a run stored photos are shown under „Meine Fotos“, and not twice.
  const shown = items.filter(({ earlier, state }) => !earlier && (running || waiting || state !== 'stored'));
  const done = !running && isDone(items);
  const choosing = items.length === 0;
  const own = mine.length > 0 && <MyPhotos photos={mine} fresh={fresh} onRemove={removeStored} locked={running} />;

  function senderWith(to: string): Sender | null {
    return deviceId === null ? null : { code, deviceId, deviceName: name.trim() || ANONYMOUS, password: to, maxBytes };
  }

  function send(to: string): void {
    const sender = senderWith(to);
    if (sender) start(sender);
  }

  // Consent from an earlier visit: what was to be sent then goes on. Later ones come with a press on the button.
  const touched = useRef(false);
  const agreed = items.some((item) => item.earlier && isOwed(item));
  const resume = useEffectEvent(() => {
    const sender = senderWith(password);
    if (!sender || touched.current) return;
    setConsent(true);
    goOn(sender);
  });
  useEffect(() => {
    if (agreed && deviceId !== null) resume();
  }, [agreed, deviceId]);

  function unlock(typed: string): void {
    setPassword(typed);
    // So that a reload of the page has it.
    window.history.replaceState(window.history.state, '', `?password=${encodeURIComponent(typed)}`);
    if (consent) send(typed);
  }

  function pick(input: HTMLInputElement): void {
    add([...(input.files ?? [])]);
    // The same file can be picked again after it was removed.
    input.value = '';
  }
  // What was picked in the page as the server drew it, before this code ran.
  const pickEarly = useEffectEvent(() => picker.current?.files?.length && pick(picker.current));
  useEffect(() => void pickEarly(), []);

  return (
    <PageShell
      width="narrow"
      header={false}
      footer={false}
      bar={
        <UploadBar
          items={items}
          kinds={takesVideos ? 'Fotos und Videos' : 'Fotos'}
          running={running}
          consent={consent}
          ready={deviceId !== null}
          onConsent={(agreed) => {
            touched.current = true;
            setConsent(agreed);
            if (!agreed) withdraw();
          }}
          onStart={() => send(password)}
        />
      }
      below={choosing && own}
    >
      <div className={styles.page}>
        <EventHead event={event} large={choosing} />
        {done ? (
          <Thanks name={name.trim()} items={items} videos={videos} />
        ) : (
          <Field
            label={upload.name}
            value={name}
            autoComplete="given-name"
            maxLength={DEVICE_NAME_LENGTH}
            onChange={({ target }) => setName(target.value)}
          />
        )}
        <div className={`${styles.choice} ${choosing ? '' : styles.row}`}>
          <label className={styles.picker} aria-disabled={running}>
            <ImagePlus aria-hidden="true" />
            {upload.pick}
            <input
              ref={picker}
              type="file"
              accept={takesVideos ? 'image/*,video/*' : 'image/*'}
              multiple
              className="visually-hidden"
              disabled={running}
              onChange={({ target }) => pick(target)}
            />
          </label>
          {choosing && own && (
            <a className={styles.own} href={`#${MY_PHOTOS}`}>
              Meine Fotos ({formatNumber(mine.length)})
            </a>
          )}
        </div>
        <UploadStatus {...uploads} videos={videos} onStop={uploads.stop} />
        <UploadFailures failures={failures} />
        {failures.some(({ password: asks }) => asks) && <PasswordAgain onPassword={unlock} />}
        {shown.length > 0 && (
          <ul className={grid.grid} aria-label="Ausgewählte Dateien">
            {shown.map((item) => (
              <li key={item.id}>
                <PhotoTile item={item} locked={running} resends={(running || waiting) && isOwed(item)} onRemove={remove} />
              </li>
            ))}
          </ul>
        )}
        <p className={styles.private}>
          <Lock size={16} aria-hidden="true" />
          Nur der Gastgeber sieht alle Fotos. Sie werden verschlüsselt gespeichert.
        </p>
        {!choosing && own}
        <div className={styles.foot}>
          <span>Feierbild Beta</span>
          <ReportLink code={code} locked={running} />
          {/* Another tab: leaving this one would lose the selection. */}
          <a href="/datenschutz" target="_blank" rel="noopener">
            Datenschutz
          </a>
          <a href="/impressum" target="_blank" rel="noopener">
            Impressum
          </a>
        </div>
      </div>
      {videos && <videos.Posters {...uploads} deviceId={deviceId} onSent={refresh} />}
      <Announcer items={items} running={running} waiting={waiting} />
    </PageShell>
  );
}

/** The guest's name, kept in this browser. The server, which draws the page for all, does not know it. */
function useName(): [string, (name: string) => void] {
  const inBrowser = useInBrowser();
  const [name, setName] = useState((inBrowser && recall('userName')) || '');
  useLayoutEffect(() => setName((typed) => typed || (recall('userName') ?? '')), []);
  return [
    name,
    (typed) => {
      setName(typed);
      remember('userName', typed);
    },
  ];
}

/** The largest file that the server takes; null until it is known. */
function useMaxBytes(code: string): number | null {
  const [maxBytes, setMaxBytes] = useState<number | null>(null);
  useEffect(() => {
    let current = true;
    void limitsOf(code).then((limits) => current && setMaxBytes(limits?.maxBytes ?? null));
    return () => void (current = false);
  }, [code]);
  return maxBytes;
}

/** Tells screen readers about progress in tenths, and the end: not while anything is still to be sent. */
function Announcer({ items, running, waiting }: { items: readonly Item[]; running: boolean; waiting: boolean }) {
  const settled = items.filter(isSettled).length;
  const failed = items.filter(({ failure }) => failure).length;
  const tenth = items.length === 0 ? 0 : Math.floor((settled / items.length) * 10) * 10;
  let text = '';
  if (running) text = `${tenth} Prozent hochgeladen`;
  else if (isDone(items)) text = 'Alles ist hochgeladen';
  else if (failed > 0 && settled === items.length && !waiting) text = `Fertig, ${failed} fehlgeschlagen`;
  return (
    <p className="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}
