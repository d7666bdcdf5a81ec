import { accountCalls } from './calls/accounts.ts';
import { adminCalls } from './calls/admins.ts';
import { archiveCalls } from './calls/archive.ts';
import { connectionCalls } from './calls/connections.ts';
import { complianceCalls } from './calls/compliance.ts';
import { dataSubjectRequestCalls } from './calls/data-subject-requests.ts';
import { eventCalls } from './calls/events.ts';
import { factorCalls } from './calls/factors.ts';
import { galleryCalls } from './calls/gallery.ts';
import { mailCalls } from './calls/mail.ts';
import { linkCalls, photoCalls } from './calls/photos.ts';
import { outboxCalls } from './calls/outbox.ts';
import { receiptCalls } from './calls/receipts.ts';
import { reportCalls } from './calls/reports.ts';
import { settingsCalls } from './calls/settings.ts';
import { siteCalls } from './calls/site.ts';
import { todayCalls } from './calls/today.ts';
import { uploadCalls } from './calls/uploads.ts';
import { wallCalls } from './calls/wall.ts';

/** All calls. The server binds each once; the pages' client takes its types from them (no code). */
export const contract = {
  ...accountCalls,
  ...adminCalls,
  ...factorCalls,
  ...eventCalls,
  ...galleryCalls,
  ...photoCalls,
  ...uploadCalls,
  ...wallCalls,
  ...linkCalls,
  ...archiveCalls,
  ...receiptCalls,
  ...complianceCalls,
  ...dataSubjectRequestCalls,
  ...reportCalls,
  ...settingsCalls,
  ...mailCalls,
  ...outboxCalls,
  ...connectionCalls,
  ...todayCalls,
  ...siteCalls,
};
export type Contract = typeof contract;
export type CallName = keyof Contract;
