import type { Mutant } from './mutant.ts';

/** Mutants against the rule that deleted data is gone. */
export const DELETION: Mutant[] = [
  {
    in: 'database/tables.ts',
    says: 'the event’s key outlives the event',
    change: [
      "event_keys: table(['event_id'], 'rewritten', OF_EVENT)",
      "event_keys: table(['event_id'], 'rewritten', { event: 'event_id' })",
    ],
    noticed: ['features/events/purge.test.ts'],
  },
  {
    in: 'database/tables.ts',
    says: 'the host’s wrapped key outlives the event',
    change: ["host_keys: table(['event_id'], 'rewritten', OF_EVENT)", "host_keys: table(['event_id'], 'rewritten', { event: 'event_id' })"],
    noticed: ['features/retention/retention.test.ts'],
  },
  {
    in: 'database/tables.ts',
    says: 'the guests’ keys outlive the event',
    change: [
      "guest_keys: table(['event_id', 'device_hash'], 'rewritten', OF_EVENT)",
      "guest_keys: table(['event_id', 'device_hash'], 'rewritten', { event: 'event_id' })",
    ],
    noticed: ['features/events/purge.test.ts'],
  },
  {
    in: 'database/tables.ts',
    says: 'the event’s secret outlives the event',
    change: ["'rewritten', { event: 'event_id', purged: 'last' }", "'rewritten', { event: 'event_id' }"],
    noticed: ['features/events/purge.test.ts'],
  },
  {
    in: 'features/retention/retention.ts',
    says: 'a clock that leapt ahead deletes everything',
    change: ['if (report.clockLeapt || report.failures > 0) return true;', ''],
    noticed: ['features/retention/retention.test.ts'],
  },
  {
    in: 'features/retention/retention.ts',
    says: 'what is due is not marked, so nothing is purged',
    change: ["await marked.where('purging_at', 'is', null).execute();", ''],
    noticed: ['features/retention/retention.test.ts'],
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
    noticed: ['features/retention/retention.test.ts'],
  },
  {
    in: 'http/request-log.ts',
    says: 'full addresses are logged',
    change: ['address: shortAddress(request.ip),', 'address: request.ip || shortAddress(request.ip),'],
    noticed: ['http/request-log.test.ts'],
    by: '',
  },
  {
    in: 'features/events/purge.ts',
    says: 'the bytes of a deleted event stay',
    change: ['await parts.blobs.removePrefix(eventPrefix(eventId), signal);', 'void parts.blobs;'],
    noticed: ['features/events/purge.test.ts'],
  },
  {
    in: 'features/retention/retention.ts',
    says: 'what is known of a deleted event outlives its twelve months',
    change: ['clock.now() - RECORDS_KEPT)', 'clock.now() - 2 * RECORDS_KEPT)'],
    noticed: ['features/retention/retention.test.ts'],
  },
  {
    in: 'features/audit/audit.ts',
    says: 'entries of the record outlive their twelve months',
    change: ['now - RECORDS_KEPT)', 'now - 2 * RECORDS_KEPT)'],
    noticed: ['features/retention/retention.test.ts'],
  },
  {
    in: 'features/uploads/storing/room.ts',
    says: 'a photo comes into an event that is being deleted',
    change: ["row('purging_at', 'is', null),", ''],
    noticed: ['features/uploads/storing/room.test.ts'],
  },
  {
    in: 'features/uploads/resumable/open-uploads.store.ts',
    says: 'an upload begins for an event that is being deleted',
    change: [".where('events.id', '=', event_id).where('purging_at', 'is', null)", ".where('events.id', '=', event_id)"],
    noticed: ['features/uploads/resumable/open-uploads.test.ts'],
  },
  {
    in: 'lib/log.ts',
    says: 'codes and passwords in the addresses of errors are logged',
    change: ['hooks: { streamWrite: cutAddresses },', 'hooks: { streamWrite: (line: string) => line || cutAddresses(line) },'],
    noticed: ['lib/log.test.ts'],
    by: '',
  },
  {
    in: 'lib/log.ts',
    says: 'an error is logged with the rows of the database that it quotes',
    change: ['return { type, message,', 'return { ...stdSerializers.err(error), type, message,'],
    noticed: ['lib/log.test.ts'],
    by: '',
  },
  {
    in: 'lib/address.ts',
    says: 'an address is logged with the part that names a person',
    change: ['[...parsed.octets.slice(0, 3), 0]', 'parsed.octets'],
    noticed: ['lib/address.test.ts'],
    by: '',
  },
];
