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

/** „Foto melden“ for the receiver of a link: the report names the photo by its id, by which the operator deletes it. */
function ReportPhoto({ url }: { url: string }) {
  const { busy, run } = useAction();
  /** The form's first value; null while it is closed. */
  const [photo, setPhoto] = useState<string | null>(null);

  async function open(): Promise<void> {
    // Without an answer the photo can be described in words.
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

/** Returns the sentence for an expired or unknown link, which no further attempt changes; null for any other error. */
function endOf(error: unknown): string | null {
  if (isRefusal(error, 'link_expired')) return linked.expired;
  return isRefusal(error, 'link_invalid') ? linked.invalid : null;
}

/** Limits of an answer without the photo, and with it; after them the browser loads the photo itself. */
const ANSWER_MS = 15_000;
const PHOTO_MS = 5 * 60_000;

/**
 * Saves the photo of a temporary link as `photo_{timestamp}.jpg`. If the server does not answer or fails, the browser
 * opens the link in a new tab instead. Throws the errors that `endOf` knows, or an Error with the sentence to show.
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

/** First and longest pause between two questions for a photo that has not come yet. */
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
    // A page in the background asks soon after it is visible again.
    if (document.hidden) {
      pause = ASK_MS;
      continue;
    }
    const head = await askLink(url, 'HEAD').catch(() => null);
    // No answer, or one of a server in trouble, is no news.
    if (head && head.status !== AWAITED && head.status < 500 && head.status !== 429) return !gone.aborted;
  }
}

/** The status of a link whose photo has not come yet. */
const AWAITED = 202;

/** Asks why a link shows no picture: it is refused, awaited, or a video; null if that is unknown. */
async function whyNoPicture(url: string): Promise<ApiError | 'video' | 'waiting' | null> {
  try {
    const head = await askLink(url, 'HEAD');
    if (head.status === AWAITED) return 'waiting';
    if (head.ok) return head.headers.get('content-type')?.startsWith('video/') ? 'video' : null;
    // Only the body tells whether the server itself refuses.
    return await refusalOf(await askLink(url, 'GET'));
  } catch {
    return null;
  }
}

/** Asks for the id of a link's photo, by which it can be reported; null without an answer. */
async function photoIdOf(url: string): Promise<string | null> {
  const answer = await askLink(url, 'HEAD').catch(() => null);
  return answer?.headers.get('photo-id') ?? null;
}

function askLink(url: string, method: 'HEAD' | 'GET'): Promise<Response> {
  return inTime(ANSWER_MS, (signal) => fetch(url, { method, signal }));
}

/** Loads the photo. Throws the server's refusal as ApiError, or ApiError no_connection, whose message is a part of a sentence. */
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
