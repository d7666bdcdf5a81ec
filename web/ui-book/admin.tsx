import type { Report } from '@feierbild/contract/calls/reports.ts';
import styles from './book.module.css';
import { AdminsList, PasswordForm } from '../src/pages/admin/access-page.tsx';
import { AuditLine } from '../src/pages/admin/audit-page.tsx';
import audit from '../src/pages/admin/audit.module.css';
import { EventsTable } from '../src/pages/admin/events-table.tsx';
import { FactorSections } from '../src/pages/admin/factors/factors-page.tsx';
import { TotpSetUp } from '../src/pages/admin/factors/totp-section.tsx';
import { ManyEvents, OutcomeNotice } from '../src/pages/admin/many-events.tsx';
import type { Order } from '../src/pages/admin/list-query.ts';
import { ImportedRows } from '../src/pages/admin/import-page.tsx';
import { TodayLists } from '../src/pages/admin/today-page.tsx';
import today from '../src/pages/admin/today.module.css';
import { ReportCard } from '../src/pages/admin/reports-page.tsx';
import { SecondFactor } from '../src/ui/second-factor.tsx';
import { BANNERS } from './admin-banners.tsx';
import { Stateful } from './stateful.tsx';
import {
  HUGE,
  LONG_NAME,
  LONG_TEXT,
  LONG_TITLE,
  NOTHING_YET,
  NOW,
  sampleEntry,
  sampleEvent,
  sampleReport,
  sampleRow,
  TODAY,
} from './samples.ts';
import { forever, nothing, type Group } from './state.ts';

const EVENTS = [
  sampleEvent(),
  sampleEvent({ ...NOTHING_YET, code: 'NEU2NEU2', title: 'Noch kein Foto', start_date: '2026-12-31', end_date: '2027-01-01', user: null }),
  sampleEvent({ code: 'DAUERAN2', title: 'Dauerhaft aktiv', is_active: true, zip_status: 'processing', zip_progress: 40 }),
  sampleEvent({ ...HUGE, code: 'GR2SSER9', title: LONG_TITLE, subtitle: LONG_TITLE, zip_status: 'complete' }),
  sampleEvent({
    code: 'BALDWEG2',
    title: 'Bald gelöscht',
    start_date: '2026-04-22',
    end_date: '2026-04-22',
    deletion_date: '2026-05-22',
    customer: 'Familie Öztürk',
    order_number: 'R-2026/117',
    note: 'Aufbau ab 14 Uhr',
  }),
  sampleEvent({ ...NOTHING_YET, code: 'VRBEI2XX', title: 'Vorbei', purged_at: '2026-05-01T01:00:00.000Z', zip_status: 'failed' }),
];
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const USED = { created_at: '2026-04-30T09:00:00.000Z', last_used_at: null };
const FACTORS = {
  required: false,
  totp: { ...USED, last_used_at: '2026-05-02T09:00:00.000Z' },
  passkeys: [
    { id: '1', name: 'Laptop im Büro', ...USED },
    { id: '2', name: LONG_NAME, ...USED },
  ],
};
const ACTIONS = { isAdmin: true, open: nothing, createUser: forever, invite: forever };
function table(open: string[], initial: Order | null) {
  return (
    <Stateful initial={initial}>
      {(order, onOrder) => (
        <Stateful initial={new Set(open)}>
          {(expanded, expand) => (
            <EventsTable
              events={EVENTS}
              now={NOW}
              order={order}
              onOrder={onOrder}
              expanded={expanded}
              onToggle={(id) => expand(expanded.symmetricDifference(new Set([id])))}
              actions={ACTIONS}
              picked={new Set([EVENTS[1]?.id ?? ''])}
              pick={nothing}
            />
          )}
        </Stateful>
      )}
    </Stateful>
  );
}

function report(change: Partial<Report>, busy = false) {
  return <ReportCard cli="npm run cli --" report={sampleReport(change)} busy={busy} failure="" onSettle={nothing} />;
}

export const admin: Group = {
  id: 'verwaltung',
  title: 'Verwaltung',
  states: [
    ...BANNERS,
    { id: 'events-table', name: 'Events', show: table([], null) },
    {
      id: 'events-table-open',
      name: 'Events, sortiert und aufgeklappt',
      show: table(['GR2SSER9'], { by: 'titel', direction: 'ascending' }),
    },
    { id: 'many-events', name: 'Ausgewählte Events', show: <ManyEvents events={EVENTS.slice(0, 2)} pick={nothing} onChanged={forever} /> },
    {
      id: 'many-events-refused',
      name: 'Ausgewählte Events, eins blieb',
      show: (
        <OutcomeNotice
          done="2 Events um 3 Tage verlängert."
          refused={[{ id: '1', title: LONG_TITLE, why: 'Dieses Event wurde inzwischen geändert. Bitte laden Sie es neu.' }]}
          onClose={nothing}
        />
      ),
    },
    {
      id: 'many-events-done',
      name: 'Ausgewählte Events, alle geändert',
      show: <OutcomeNotice done="3 Events geschlossen." refused={[]} onClose={nothing} />,
    },
    {
      id: 'import',
      name: 'Events aus einer Tabelle',
      show: (
        <ImportedRows
          today="2026-05-20"
          rows={[
            sampleRow(),
            sampleRow({ line: 3, known: 'K7MQ2XWA' }),
            sampleRow({
              line: 4,
              title: '',
              start_date: '31.2.2026',
              end_date: '31.2.2026',
              mistakes: [{ column: 'Titel', text: 'Bitte geben Sie einen Titel ein.' }],
            }),
            sampleRow({ line: 5, title: LONG_TITLE, start_date: '2026-05-02', end_date: '2026-05-02' }),
            sampleRow({ line: 6, template: '', customer: '', host_email: '' }),
            sampleRow({ line: 7 }),
          ]}
          outcomes={{
            'row 6': { created: { ...sampleEvent(), links: { guests: '', login: '', dashboard: '' } } },
            'row 7': { failure: 'Bitte geben Sie eine gültige E-Mail-Adresse an.' },
          }}
        />
      ),
    },
    {
      id: 'today',
      name: 'Heute',
      show: (
        <div className={today.page}>
          <TodayLists today={TODAY} />
        </div>
      ),
    },
    {
      id: 'today-nothing',
      name: 'Heute, nichts',
      show: (
        <div className={today.page}>
          <TodayLists today={{ ...TODAY, running: [], absent: [], due: [], more: { running: false, absent: false, due: false } }} />
        </div>
      ),
    },
    { id: 'report-open', name: 'Meldung, offen', show: report({}) },
    { id: 'report-busy', name: 'Meldung, wird erledigt', show: report({}, true) },
    {
      id: 'report-settled',
      name: 'Meldung, erledigt, ohne Absender',
      show: report({ name: '', email: '', settled_at: '2026-05-19T08:00:00.000Z', settled_by: 'frieda' }),
    },
    {
      id: 'report-long',
      name: 'Meldung, lang',
      show: report({ event: LONG_TITLE, photo: LONG_TEXT, reason: LONG_TITLE, name: LONG_NAME }),
    },
    {
      id: 'audit',
      name: 'Protokoll',
      show: (
        <ol className={audit.list}>
          <AuditLine entry={sampleEntry()} />
          <AuditLine
            entry={sampleEntry({ actor: 'unknown', action: 'login.limited', event_code: null, address: '2001:db8:85a3::8a2e:370:7334' })}
          />
          <AuditLine entry={sampleEntry({ actor: `admin:${LONG_NAME}`, action: 'admin.recovered', event_code: null, address: null })} />
          <AuditLine entry={sampleEntry({ action: 'factor.reset', event_code: null, account: LONG_NAME })} />
          <AuditLine entry={sampleEntry({ actor: 'system', action: 'event.purged', address: null })} />
        </ol>
      ),
    },
    {
      id: 'admins',
      name: 'Wer verwaltet',
      show: (
        <div className={styles.narrow}>
          <AdminsList
            admins={[
              { id: '1', username: 'frieda', role: 'admin', own: true, second_factor: true },
              { id: '2', username: LONG_NAME, role: 'assistant', own: false, second_factor: true },
            ]}

            onChanged={forever}
          />
        </div>
      ),
    },
    {
      id: 'factors',
      name: 'Zweite Faktoren',
      show: (
        <div className={styles.stack}>
          <FactorSections factors={FACTORS} onChanged={nothing} />
          <FactorSections factors={{ required: true, totp: null, passkeys: [] }} onChanged={nothing} />
        </div>
      ),
    },
    {
      id: 'totp',
      name: 'Codes einrichten',
      show: <TotpSetUp begun={{ secret: SECRET, uri: `otpauth://totp/Feierbild:frieda?secret=${SECRET}` }} onDone={nothing} />,
    },
    {
      id: 'second-factor',
      name: 'Zweiter Faktor bei der Anmeldung',
      show: (
        <div className={styles.narrow}>
          <SecondFactor asked={{ totp: true, passkey: {} }} ask={forever} askPasskey={forever} confirm="Anmelden" />
        </div>
      ),
    },
    {
      id: 'password-form',
      name: 'Passwort ändern',
      show: (
        <div className={styles.narrow}>
          <PasswordForm username="frieda" onChanged={nothing} />
        </div>
      ),
    },
  ],
};
