import { CircleCheck, Clock, Download, ImageOff, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { download } from '../../texts.ts';
import { Headline } from '../../ui/headline.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { ReportForm } from '../../ui/report-form.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useTask } from '../../ui/use-task.ts';
import styles from './download.module.css';
import { LINE_BROKEN, useVideo } from '../../video/use-video.ts';
import { CANNOT_PLAY } from '../../video/video.ts';
import { LinkEnded, photoIdOf, savePhoto, whyNoPicture } from './save-photo.ts';

/** /download/{token}: one photo for everybody who has the link. */
export default function DownloadPage({ token }: { token: string }) {
  if (!token) return <Ended text={download.noToken} />;
  return <PhotoDownload key={token} url={`/api/photos/temp_download/${encodeURIComponent(token)}`} />;
}

/** Nothing to download, and why. */
function Ended({ text }: { text: string }) {
  return (
    <MessagePage title={download.error} actions={<HomeLink />}>
      <p role="alert">{text}</p>
    </MessagePage>
  );
}

function PhotoDownload({ url }: { url: string }) {
  const [preview, setPreview] = useState<'loading' | 'shown' | 'failed' | 'video'>('loading');
  const [done, setDone] = useState(false);
  const { busy, failure, run, forget } = useTask();
  const [ended, setEnded] = useState<LinkEnded | null>(null);

  async function explainMissingPreview(): Promise<void> {
    const why = await whyNoPicture(url);
    if (why instanceof LinkEnded) setEnded(why);
    setPreview(why === 'video' ? 'video' : 'failed');
  }

  async function save(): Promise<void> {
    setDone(false);
    try {
      await savePhoto(url);
      setDone(true);
    } catch (error) {
      if (!(error instanceof LinkEnded)) throw error;
      setEnded(error);
    }
  }

  if (ended) return <Ended text={ended.message} />;
  if (preview === 'video') return <VideoDownload url={url} />;

  return (
    <PageShell width="narrow">
      <div className={styles.page}>
        <Headline>Ihr Foto</Headline>
        <div className={styles.frame} data-state={preview}>
          {preview === 'loading' && (
            <p role="status" className={styles.missing}>
              <Spinner />
              Die Vorschau wird geladen …
            </p>
          )}
          {preview === 'failed' ? (
            <p className={styles.missing}>
              <ImageOff size={30} />
              {download.noPreview}
            </p>
          ) : (
            <img
              src={url}
              alt="Vorschau Ihres Fotos"
              className={styles.photo}
              onLoad={() => setPreview('shown')}
              onError={() => void explainMissingPreview()}
            />
          )}
        </div>
        <Button wide busy={busy} onClick={() => void run(save)}>
          <Download size={20} />
          {busy ? download.busy : download.button}
        </Button>
        <div role="status">
          {done && (
            <div className={styles.done}>
              <CircleCheck size={24} />
              <div>
                <strong>{download.done}</strong>
                <p>{download.doneText}</p>
              </div>
            </div>
          )}
        </div>
        {failure && (
          <Notice kind="error" onDismiss={forget}>
            {failure}
          </Notice>
        )}
        <Facts />
        <HomeLink />
        <ReportPhoto url={url} />
      </div>
    </PageShell>
  );
}

/** The browser saves a video itself: it may be larger than the memory of a page. */
function VideoDownload({ url }: { url: string }) {
  const { state, props } = useVideo(url);
  return (
    <PageShell width="narrow">
      <div className={styles.page}>
        <Headline>Ihr Video</Headline>
        <div className={styles.frame} data-state="shown">
          {state === 'unplayable' ? (
            <p className={styles.missing} role="status">
              {CANNOT_PLAY}
            </p>
          ) : (
            // oxlint-disable-next-line jsx-a11y/media-has-caption -- what guests film has none
            <video {...props} className={styles.photo} aria-label="Ihr Video" controls playsInline preload="metadata" />
          )}
        </div>
        {state === 'waiting' && <Notice kind="info">{LINE_BROKEN}</Notice>}
        <ButtonLink wide href={url} download>
          <Download size={20} />
          Herunterladen
        </ButtonLink>
        <Facts />
        <HomeLink />
      </div>
    </PageShell>
  );
}

function Facts() {
  return (
    <ul className={styles.facts}>
      <li>
        <Clock size={20} />
        {download.valid}
      </li>
      <li>
        <ShieldCheck size={20} />
        {download.safe}
      </li>
    </ul>
  );
}

function HomeLink() {
  return (
    <ButtonLink href="/" look="secondary">
      {download.home}
    </ButtonLink>
  );
}

/** „Foto melden“ for who was sent a link: the report names the photo by its id, by which the operator deletes it. */
function ReportPhoto({ url }: { url: string }) {
  const { busy, run } = useTask();
  /** What the form begins with; null while it is closed. */
  const [photo, setPhoto] = useState<string | null>(null);

  async function open(): Promise<void> {
    // Without an answer it can be reported in words.
    const id = await photoIdOf(url);
    setPhoto(id === null ? '' : `Foto ${id}`);
  }

  return (
    <>
      <Button look="quiet" busy={busy} onClick={() => void run(open)}>
        Foto melden
      </Button>
      <Dialog open={photo !== null} title="Foto melden" onClose={() => setPhoto(null)}>
        <ReportForm event="Foto aus einem Download-Link" photo={photo ?? ''} />
      </Dialog>
    </>
  );
}
