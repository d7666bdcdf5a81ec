import { CircleCheck, Clock, Download, ImageOff, ShieldCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError, inTime, isRefusal, messageOf, refusalOf } from '../../api/client.ts';
import { linked } from '../../texts/guest/download.ts';
import { filmed } from '../../texts/guest/video.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveFile } from '../../ui/download-link.tsx';
import { Headline } from '../../ui/headline.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { ReportForm } from '../../ui/report-form.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useAction } from '../../ui/use-form.ts';
import { useVideo } from '../../video/use-video.ts';
import styles from './download.module.css';

/** /download/{token}: one photo for everybody who has the link. */
export default function DownloadPage({ token }: { token: string }) {
  if (!token) return <Ended text={linked.noToken} />;
  return <PhotoDownload key={token} url={`/api/photos/temp_download/${encodeURIComponent(token)}`} />;
}

/** Nothing to download, and why. */
function Ended({ text }: { text: string }) {
  return (
    <MessagePage title={linked.error} actions={<HomeLink />}>
      <p role="alert">{text}</p>
    </MessagePage>
  );
}

function PhotoDownload({ url }: { url: string }) {
  const [preview, setPreview] = useState<'loading' | 'shown' | 'failed' | 'video' | 'waiting'>('loading');
  const [done, setDone] = useState(false);
  const { busy, error, failure, run, forget } = useAction();
  const [ended, setEnded] = useState<string | null>(null);

  async function explainMissingPreview(): Promise<void> {
    const why = await whyNoPicture(url);
    setEnded(endOf(why));
    setPreview(why === 'video' || why === 'waiting' ? why : 'failed');
  }

  async function save(): Promise<void> {
    setDone(false);
    await savePhoto(url);
    setDone(true);
  }

  const over = endOf(error) ?? ended;
  if (over !== null) return <Ended text={over} />;
  if (preview === 'video') return <VideoDownload url={url} />;
  if (preview === 'waiting') return <Awaited url={url} onCome={() => setPreview('loading')} />;

  return (
    <PageShell width="narrow">
      <div className={styles.page}>
        <Headline>{linked.photo}</Headline>
        <div className={styles.frame} data-state={preview}>
          {preview === 'loading' && (
            <p role="status" className={styles.missing}>
              <Spinner />
              {linked.loading}
            </p>
          )}
          {preview === 'failed' ? (
            <p className={styles.missing}>
              <ImageOff size={30} />
              {linked.noPreview}
            </p>
          ) : (
            <img
              src={url}
              alt={linked.preview}
              className={styles.photo}
              onLoad={() => setPreview('shown')}
              onError={() => void explainMissingPreview()}
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
        <ReportPhoto url={url} />
      </div>
    </PageShell>
  );
}

/** A Fotobox has printed the link, and has had no network since: asks until the photo is there. */
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

/** The browser saves a video itself: it may be larger than the memory of a page. */
export function VideoDownload({ url }: { url: string }) {
  const { state, props } = useVideo(url);
  return (
    <PageShell width="narrow">
      <div className={styles.page}>
        <Headline>{linked.video}</Headline>
        <div className={styles.frame} data-state="shown">
          {state === 'unplayable' ? (
            <p className={styles.missing} role="status">
              {filmed.unplayable}
            </p>
          ) : (
            // oxlint-disable-next-line jsx-a11y/media-has-caption -- what guests film has none
            <video {...props} className={styles.photo} aria-label={linked.video} controls playsInline preload="metadata" />
          )}
        </div>
        {state === 'waiting' && <Notice kind="info">{filmed.broken}</Notice>}
        <ButtonLink wide href={url} download>
          <Download size={20} />
          {linked.saveVideo}
        </ButtonLink>
        <LinkTerms />
        <HomeLink />
        <ReportPhoto url={url} />
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

/** „Foto melden“ for who was sent a link: the report names the photo by its id, by which the operator deletes it. */
function ReportPhoto({ url }: { url: string }) {
  const { busy, run } = useAction();
  /** The form's first value; null while it is closed. */
  const [photo, setPhoto] = useState<string | null>(null);

  async function open(): Promise<void> {
    // Without an answer it can be reported in words.
    const id = await photoIdOf(url);
    setPhoto(id === null ? '' : `Foto ${id}`);
  }

  return (
    <>
      <Button look="quiet" busy={busy} onClick={() => void run(open)}>
        {linked.report}
      </Button>
      {photo !== null && (
        <Dialog title={linked.report} onClose={() => setPhoto(null)}>
          <ReportForm event="Foto aus einem Download-Link" photo={photo} />
        </Dialog>
      )}
    </>
  );
}

/** The sentence about an expired or unknown link, which no further attempt changes; null for any other error. */
function endOf(error: unknown): string | null {
  if (isRefusal(error, 'link_expired')) return linked.expired;
  return isRefusal(error, 'link_invalid') ? linked.invalid : null;
}

/** Longest wait for an answer without the photo, and with it, ms: after that the browser loads it by itself. */
const ANSWER_MS = 15_000;
const PHOTO_MS = 5 * 60_000;

/**
 * Saves the photo of a temporary link as `photo_{timestamp}.jpg`. Where the server does not answer or fails, the browser
 * opens the link in a new tab instead. Throws what `endOf` knows, or an Error with the sentence to show.
 */
async function savePhoto(url: string): Promise<void> {
  try {
    saveFile(await fetchPhoto(url), `photo_${Date.now()}.jpg`);
  } catch (error) {
    if (endOf(error) !== null) throw error;
    const { status, code } = error instanceof ApiError ? error : { status: -1, code: null };
    if ((status >= 500 || code === 'no_connection' || code === 'not_ours') && window.open(url, '_blank')) return;
    const message = messageOf(error, linked.status(status)).replace(/\.$/, '');
    throw new Error(linked.failed(message), { cause: error });
  }
}

/** Between two questions for a photo that has not come yet, ms: the first, and the longest. */
const ASK_MS = 3000;
const ASK_LONGEST_MS = 30_000;

/** Resolves with true once the link is there or has failed; with false after `gone`. */
async function untilCome(url: string, gone: AbortSignal): Promise<boolean> {
  for (let pause = ASK_MS; ; pause = Math.min(ASK_LONGEST_MS, pause * 1.2)) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      gone.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
    if (gone.aborted) return false;
    // A page in the background asks soon after it is looked at again.
    if (document.hidden) {
      pause = ASK_MS;
      continue;
    }
    const head = await askLink(url, 'HEAD').catch(() => null);
    // Without an answer, and in trouble, there is nothing new.
    if (head && head.status !== AWAITED && head.status < 500 && head.status !== 429) return !gone.aborted;
  }
}

/** The status of a link whose photo has not come yet. */
const AWAITED = 202;

/** Asks why a link shows no picture: it is refused, awaited, or a video; null where that is not known. */
async function whyNoPicture(url: string): Promise<ApiError | 'video' | 'waiting' | null> {
  try {
    const head = await askLink(url, 'HEAD');
    if (head.status === AWAITED) return 'waiting';
    if (head.ok) return head.headers.get('content-type')?.startsWith('video/') ? 'video' : null;
    // Only the body says whether it is the server that refuses.
    return await refusalOf(await askLink(url, 'GET'));
  } catch {
    return null;
  }
}

/** The number of a link's photo, by which it can be reported; null where it cannot be asked. */
async function photoIdOf(url: string): Promise<string | null> {
  const answer = await askLink(url, 'HEAD').catch(() => null);
  return answer?.headers.get('photo-id') ?? null;
}

function askLink(url: string, method: 'HEAD' | 'GET'): Promise<Response> {
  return inTime(ANSWER_MS, (signal) => fetch(url, { method, signal }));
}

/** The photo. Throws ApiError: what the server says, or that it did not answer, as a part of a sentence. */
async function fetchPhoto(url: string): Promise<Blob> {
  const read = async (signal: AbortSignal): Promise<Blob | ApiError> => {
    const answer = await fetch(url, { headers: { accept: 'image/*, application/octet-stream' }, signal });
    return answer.ok ? answer.blob() : refusalOf(answer);
  };
  const answer = await inTime(PHOTO_MS, read).catch(() => null);
  if (answer instanceof ApiError) throw answer;
  // The sign-in page of a hotel's Wi-Fi answers everything with 200 and HTML.
  if (!answer?.type.startsWith('image/')) throw new ApiError(0, 'no_connection', linked.line);
  return answer;
}
