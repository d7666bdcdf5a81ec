import { CircleCheck, Clock, Download, ImageOff, ShieldCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError, messageOf } from '../../api/client.ts';
import { linked } from '../../texts/guest/download.ts';
import { photoTexts } from '../../texts/guest/photo.ts';
import { filmed } from '../../texts/guest/video.ts';
import { Button, buttonClasses, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { Headline } from '../../ui/headline.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { ReportForm } from '../../ui/report-form.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useAction } from '../../ui/use-form.ts';
import { useVideo } from '../../video/use-video.ts';
import styles from './download.module.css';
import { endOf, photoIdOf, savePhoto, untilCome, whatIsLinked } from './link.ts';

/** /download/{token}: a single photo for everybody with the link. */
export default function DownloadPage({ token }: { token: string }) {
  if (!token) return <Ended text={linked.noToken} />;
  return <PhotoDownload key={token} url={`/api/photos/temp_download/${encodeURIComponent(token)}`} />;
}

/** The reason why there is nothing to download. */
function Ended({ text }: { text: string }) {
  return (
    <MessagePage title={linked.error} actions={<HomeLink />}>
      <p role="alert">{text}</p>
    </MessagePage>
  );
}

function PhotoDownload({ url }: { url: string }) {
  const [preview, setPreview] = useState<'asking' | 'loading' | 'shown' | 'failed' | 'video' | 'waiting'>('asking');
  const [done, setDone] = useState(false);
  const { busy, error, failure, run, forget } = useAction();
  const [ended, setEnded] = useState<string | null>(null);

  /** Finds out what the link gives. `photo`: the state of a photo, also where no answer came. */
  async function ask(photo: 'loading' | 'failed'): Promise<void> {
    const found = await whatIsLinked(url);
    setEnded(endOf(found));
    setPreview(found instanceof ApiError ? 'failed' : (found ?? photo));
  }
  const askFirst = useEffectEvent(() => void ask('loading'));
  useEffect(() => {
    if (preview === 'asking') askFirst();
  }, [preview]);

  async function save(): Promise<void> {
    setDone(false);
    if (await savePhoto(url)) setDone(true);
    else setPreview('video');
  }

  const over = endOf(error) ?? ended;
  if (over !== null) return <Ended text={over} />;
  if (preview === 'video') return <VideoDownload url={url} />;
  if (preview === 'waiting') return <Awaited url={url} onCome={() => setPreview('asking')} />;

  return (
    <PageShell width="narrow">
      <div className={styles.page}>
        <Headline>{linked.photo}</Headline>
        <div className={styles.frame} data-state={preview}>
          {(preview === 'asking' || preview === 'loading') && (
            <p role="status" className={styles.missing}>
              <Spinner />
              {linked.loading}
            </p>
          )}
          {preview === 'failed' && (
            <p className={styles.missing}>
              <ImageOff size={30} />
              {linked.noPreview}
            </p>
          )}
          {(preview === 'loading' || preview === 'shown') && (
            <img
              src={url}
              alt={linked.preview}
              className={styles.photo}
              onLoad={() => setPreview('shown')}
              onError={() => void ask('failed')}
            />
          )}
        </div>
        <Button wide busy={busy} onClick={() => void run(save)}>
          <Download size={20} />
          {busy ? linked.busy : linked.button}
        </Button>
        <div role="status">
          {done && (
            <div className={styles.done}>
              <CircleCheck size={24} />
              <div>
                <strong>{linked.done}</strong>
                <p>{linked.doneText}</p>
              </div>
            </div>
          )}
        </div>
        {failure && (
          <Notice kind="error" onDismiss={forget}>
            {failure}
          </Notice>
        )}
        <LinkTerms />
        <HomeLink />
        <Report url={url} kind="Foto" />
      </div>
    </PageShell>
  );
}

/** Waits for a photo whose link a Fotobox has printed without a network, and asks until it is there. */
function Awaited({ url, onCome }: { url: string; onCome: () => void }) {
  const come = useEffectEvent(onCome);
  useEffect(() => {
    const gone = new AbortController();
    void untilCome(url, gone.signal).then((hasCome) => hasCome && come());
    return () => gone.abort();
  }, [url]);
  return (
    <MessagePage title={linked.awaited} icon={<Clock size={30} />} actions={<HomeLink />}>
      <p role="status">{linked.awaitedText}</p>
    </MessagePage>
  );
}

/** Shows a linked video. The browser saves it itself, because it may be larger than a page's memory. */
export function VideoDownload({ url }: { url: string }) {
  const { state, props } = useVideo(url);
  const [failed, setFailed] = useState<ApiError | null>(null);

  const over = endOf(state) ?? endOf(failed);
  if (over !== null) return <Ended text={over} />;
  return (
    <PageShell width="narrow">
      <div className={styles.page}>
        <Headline>{linked.video}</Headline>
        <div className={styles.frame} data-state="shown">
          {state === 'unplayable' || state instanceof ApiError ? (
            <p className={styles.missing} role="status">
              {state === 'unplayable' ? filmed.unplayable : messageOf(state)}
            </p>
          ) : (
            // oxlint-disable-next-line jsx-a11y/media-has-caption -- what guests film has none
            <video {...props} className={styles.photo} aria-label={linked.video} controls playsInline preload="metadata" />
          )}
        </div>
        {state === 'waiting' && <Notice kind="info">{filmed.broken}</Notice>}
        <DownloadLink className={buttonClasses('primary', true)} href={url} onAnswer={setFailed}>
          <Download size={20} />
          {photoTexts.download}
        </DownloadLink>
        {failed && (
          <Notice kind="error" onDismiss={() => setFailed(null)}>
            {messageOf(failed)}
          </Notice>
        )}
        <LinkTerms />
        <HomeLink />
        <Report url={url} kind="Video" />
      </div>
    </PageShell>
  );
}

function LinkTerms() {
  return (
    <ul className={`bare ${styles.terms}`}>
      <li>
        <Clock size={20} />
        {linked.valid}
      </li>
      <li>
        <ShieldCheck size={20} />
        {linked.safe}
      </li>
    </ul>
  );
}

function HomeLink() {
  return (
    <ButtonLink href="/" look="secondary">
      {linked.home}
    </ButtonLink>
  );
}

interface ReportProps {
  url: string;
  /** What the operator reads in the report. */
  kind: 'Foto' | 'Video';
}

/** „Foto melden“ for the receiver of a link: the report names the photo by its id, by which the operator deletes it. */
function Report({ url, kind }: ReportProps) {
  const { busy, run } = useAction();
  /** The form's first value; null while it is closed. */
  const [photo, setPhoto] = useState<string | null>(null);
  const title = kind === 'Foto' ? linked.report : linked.reportVideo;

  async function open(): Promise<void> {
    // Without an answer the photo can be described in words.
    const id = await photoIdOf(url);
    setPhoto(id === null ? '' : `${kind} ${id}`);
  }

  return (
    <>
      <Button look="quiet" busy={busy} onClick={() => void run(open)}>
        {title}
      </Button>
      {photo !== null && (
        <Dialog title={title} onClose={() => setPhoto(null)}>
          <ReportForm event={`${kind} aus einem Download-Link`} photo={photo} />
        </Dialog>
      )}
    </>
  );
}
