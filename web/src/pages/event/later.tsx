/** What of the page nobody needs before its first paint. */
import { later } from '../../texts/guest/later.ts';
import { Notice } from '../../ui/notice.tsx';

export { shortReason, UploadFailures } from './failures.tsx';
export { MyPhotos } from './my-photos.tsx';
export { Thanks } from './thanks.tsx';
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
