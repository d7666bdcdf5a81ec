import type { Mutant } from './mutant.ts';

/** What is deleted is gone. */
export const DELETION: Mutant[] = [
  {
    in: 'database/tables.ts',
    says: 'the event’s key outlives the event',
    change: [
      "event_keys: table(['event_id'], 'rewritten', OF_EVENT)",
      "event_keys: table(['event_id'], 'rewritten', { event: 'event_id' })",
    ],
    noticed: ['features/events/purge.test.ts', 'features/events/events.test.ts'],
  },
  {
    in: 'database/tables.ts',
    says: 'the host’s wrapped key outlives the event',
    change: ["host_keys: table(['event_id'], 'rewritten', OF_EVENT)", "host_keys: table(['event_id'], 'rewritten', { event: 'event_id' })"],
    noticed: ['features/retention/retention.process.test.ts'],
  },
  {
    in: 'database/tables.ts',
    says: 'the guests’ keys outlive the event',
    change: [
      "guest_keys: table(['event_id', 'device_hash'], 'rewritten', OF_EVENT)",
      "guest_keys: table(['event_id', 'device_hash'], 'rewritten', { event: 'event_id' })",
    ],
    noticed: [
      'features/events/purge.test.ts',
      'features/retention/retention.process.test.ts',
      'features/retention/erasure.process.test.ts',
    ],
  },
  {
    in: 'database/tables.ts',
    says: 'the event’s secret outlives the event',
    change: ["'rewritten', { event: 'event_id', purged: 'last' }", "'rewritten', { event: 'event_id' }"],
    noticed: ['features/events/purge.test.ts', 'features/retention/erasure.process.test.ts'],
  },
  {
    in: 'features/retention/retention.ts',
    says: 'a clock that leapt ahead deletes everything',
    change: ['if (report.clockLeapt || report.failures > 0) return true;', ''],
    noticed: ['features/retention/retention.process.test.ts'],
  },
  {
    in: 'features/retention/retention.ts',
    says: 'what is due is not marked, so nothing is purged',
    change: ["await marked.where('purging_at', 'is', null).execute();", ''],
    noticed: ['features/retention/retention.process.test.ts'],
  },
  {
    in: 'features/events/events.ts',
    says: 'no record of a deleted event',
    change: [
      "await audit.record({ actor: `admin:${admin.username}`, action: 'event.deleted', eventId: id, eventCode: event.code, address }, trx);",
      'void address;',
    ],
    noticed: ['features/events/events.test.ts'],
    by: 'sqlite.*vanish',
  },
  {
    in: 'features/audit/audit.ts',
    says: 'full addresses stay in the record',
    change: ['const short = shortAddress(address);', 'const short = address; void shortAddress;'],
    noticed: [
      'features/retention/retention.process.test.ts',
      'features/accounts/accounts.process.test.ts',
      'features/admins/admins.process.test.ts',
    ],
  },
  {
    in: 'http/request-log.ts',
    says: 'full addresses are logged',
    change: ['address: shortAddress(request.ip),', 'address: request.ip || shortAddress(request.ip),'],
    noticed: ['http/request-log.process.test.ts'],
    by: '',
  },
];
