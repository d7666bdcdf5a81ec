/** What of the page nobody needs before its first paint. */
import { Check } from 'lucide-react';
import { t } from '../../texts/guest/guest.ts';
import { later } from '../../texts/guest/later.ts';
import { Notice } from '../../ui/notice.tsx';
import { isStored, type Item } from './item.ts';
import { kindsOf } from './queue/selection.ts';
import styles from './thanks.module.css';

export { shortReason, UploadFailures } from './failures.tsx';
export { MyPhotos } from './my-photos.tsx';
export { UploadStatus } from './upload-status.tsx';
export { Dialog } from '../../ui/dialog.tsx';
export { ReportForm } from '../../ui/report-form.tsx';

/** Apps that open links in a browser of their own, by what they write into its name. */
const APPS: [pattern: RegExp, name: string][] = [
  [/Instagram/, 'Instagram'],
  [/FBAN|FBAV|FB_IAB/, 'Facebook'],
  [/WhatsApp/, 'WhatsApp'],
];

/** In an app's own browser, which forgets what it keeps and often ends in the background: how to open the real one. */
export function InApp() {
  const [, app] = APPS.find(([pattern]) => pattern.test(navigator.userAgent)) ?? [];
  if (!app) return null;
  return (
    <Notice kind="info" permanent>
      <strong>{later.inApp.title(app)}</strong>
      <span>{later.inApp.text}</span>
    </Notice>
  );
}

/** So many of the photos are shown as a fan. */
const FAN = 3;

/** When nothing is on its way any more: the thanks for what arrived, with the first photos. */
export function Thanks({ name, items }: { name: string; items: readonly Item[] }) {
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
    </div>
  );
}
