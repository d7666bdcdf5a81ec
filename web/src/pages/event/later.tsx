/** What of the page nobody needs before its first paint. */
export { InApp } from './in-app.tsx';
export { MyPhotos } from './my-photos.tsx';
export { PasswordAgain } from './password-again.tsx';
export { shortReason, summariseFailures } from './failures.ts';
export { Thanks } from './thanks.tsx';
export { UploadFailures } from './upload-failures.tsx';
export { UploadStatus } from './upload-status.tsx';
export { Dialog } from '../../ui/dialog.tsx';
export { ReportForm } from '../../ui/report-form.tsx';
