/** Code of the page that is not needed before its first paint; one file is smaller than several. */
import { Check } from 'lucide-react';
import { openShareSheet } from '../../lib/share-sheet.ts';
import { t } from '../../texts/guest/guest.ts';
import { later } from '../../texts/guest/later.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';
import { rowsOf } from './device/descriptors.ts';
import { appOf } from './in-app.ts';
import { isStored, type Item } from './item.ts';
import { kindsOf } from './queue/selection.ts';
import styles from './thanks.module.css';

export { forgetEvent, rowsOf } from './device/descriptors.ts';
export { createDeviceStore } from './device/device-store.ts';
export { shortReason, UploadFailures } from './failures.tsx';
export { MyPhotos } from './my-photos.tsx';
export { createThumbnails } from './pictures/thumbnails.ts';
export { UploadStatus } from './upload-status.tsx';
export { createDuplicates } from './wire/duplicates.ts';
export { sendPreview, sendResumable, terminate } from './wire/tus.ts';
export { Dialog } from '../../ui/dialog.tsx';
export { ReportForm } from '../../ui/report-form.tsx';

/** Explains in an app's own browser, which forgets its data and often ends in the background, how to open the real one. */
export function InApp() {
  const app = appOf(navigator);
  if (app === null) return null;
  return (
    <Notice kind="info" permanent>
      <strong>{later.inApp.title(app)}</strong>
      <span>{later.inApp.text}</span>
    </Notice>
  );
}

/** Says how many photos this device keeps for an event that takes none; '' if there are none. */
export async function leftBehind(event: string): Promise<string> {
  const unsent = (await rowsOf(event)).filter(({ state }) => state !== 'stored');
  return unsent.length > 0 ? `${t.status.paused(kindsOf(unsent))} ${later.failures.causes.closed.advice}` : '';
}

/** Number of photos that are shown as a fan. */
const FAN = 3;

interface ThanksProps {
  name: string;
  items: readonly Item[];
  /** The event whose page the guest may pass on. */
  event: { code: string; title: string };
  /** The address of all guests' photos. */
  gallery?: string | undefined;
}

/** The thanks after a run, with the first photos that arrived, and the button that passes the page on. */
export function Thanks({ name, items, event: { code, title }, gallery }: ThanksProps) {
  const { error, run } = useAction();
  // The shared address must not contain the password or the language of this page's address.
  const url = (): string => `${window.location.origin}/event/${code}`;
  const stored = items.filter(isStored);
  const fan = stored.flatMap(({ id, thumbnail }) => (thumbnail ? [{ id, thumbnail }] : [])).slice(0, FAN);
  return (
    <div className={styles.thanks}>
      {fan.length > 0 && (
        <div className={styles.fan} aria-hidden="true">
          {fan.map(({ id, thumbnail }) => (
            <img key={id} src={thumbnail} alt="" />
          ))}
        </div>
      )}
      <span className={styles.disc} aria-hidden="true">
        <Check size={44} strokeWidth={3} />
      </span>
      <h2 className={styles.title}>{t.thanks.title(name)}</h2>
      <p className={styles.text}>
        {stored.length === items.length ? t.thanks.all(kindsOf(items)) : t.thanks.partly(stored.length, kindsOf(items))}
      </p>
      {gallery && (
        // The gallery opens in another tab, because leaving this one would lose the next selection.
        <ButtonLink look="secondary" href={gallery} target="_blank" rel="noopener">
          {t.form.gallery}
        </ButtonLink>
      )}
      {'share' in navigator && (
        <Button look="quiet" onClick={() => void run(() => openShareSheet({ title, url: url() }))}>
          {later.passOn}
        </Button>
      )}
      {/* Where the share sheet does not open, the address is passed on by hand. */}
      {error !== null && <Notice kind="info">{url()}</Notice>}
    </div>
  );
}
