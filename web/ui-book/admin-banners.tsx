import type { Status } from '../src/pages/admin/admin-queries.ts';
import { Banners } from '../src/pages/admin/banners.tsx';
import styles from './book.module.css';
import { LONG_TITLE, NOW } from './samples.ts';
import { nothing, type State } from './state.ts';

const DAY = 24 * 60 * 60 * 1000;
const DENIED = {
  cause: 'bubblewrap darf hier keine Namensräume anlegen („bwrap: setting up uid map: Permission denied“)',
  remedy: 'Bitte erlauben Sie dem Dienst Namensräume (user namespaces)',
};
const FINE: Status = {
  initial_password: false,
  default_business: false,
  first_start: false,
  open_points: [],
  demo_by_default: false,
  https: true,
  decoder_isolated: true,
  isolation_fault: null,
  command: 'npm run cli --',
  clock_leapt: null,
  tampered_events: [],
  last_backup_at: new Date(NOW - DAY).toISOString(),
  last_backup_missing: 0,
  free_bytes: 200_000_000_000,
  overdue_purges: 0,
  paper_changes: [],
  undelivered: { invitations: [], mails: 0, webhooks: 0 },
};

function banners(change: Partial<Status>) {
  return (
    <div className={styles.stack}>
      <Banners status={{ ...FINE, ...change }} now={NOW} photos onSetUp={nothing} onClockRight={nothing} onInvite={nothing} />
    </div>
  );
}

/** What the administration's pages say above their contents. */
export const BANNERS: State[] = [
  { id: 'banners', name: 'Was noch einzurichten ist', show: banners({ initial_password: true, default_business: true, https: false }) },
  { id: 'first-start', name: 'Der erste Start', show: banners({ first_start: true }) },
  { id: 'banner-https', name: 'Nur ohne https', show: banners({ https: false }) },
  {
    id: 'banners-alarm',
    name: 'Was geprüft werden muss: Schlüssel, Uhr, Decoder',
    show: banners({ clock_leapt: '2027-05-19T08:00:00.000Z', tampered_events: ['ABCDEFGH', 'GR2SSER9'], isolation_fault: DENIED }),
  },
  {
    id: 'banners-doctor',
    name: 'Was zu tun ist: Löschung, Platz, Sicherung',
    show: banners({
      overdue_purges: 2,
      free_bytes: 7_400_000_000,
      last_backup_at: new Date(NOW - 5 * DAY).toISOString(),
      last_backup_missing: 12,
    }),
  },
  {
    id: 'banners-doctor-worst',
    name: 'Eine überfällige Löschung, kein Platz, nie gesichert',
    show: banners({ overdue_purges: 1, free_bytes: 420_000_000, last_backup_at: null }),
  },
  {
    id: 'banners-undelivered',
    name: 'Was nicht zugestellt wurde',
    show: banners({
      undelivered: {
        invitations: [{ id: '1', code: 'GR2SSER9', title: LONG_TITLE, answer: '550 5.1.1 <lena@example.org>: Recipient address rejected' }],
        mails: 2,
        webhooks: 1,
      },
    }),
  },
];
