import { GB } from '@feierbild/contract/constants.ts';
import type { AdminEvent, GuestEvent, HostEvent } from '@feierbild/contract/entities.ts';
import { deletionDay } from '@feierbild/contract/event-status.ts';
import type { EventRow } from '../../database/schema.ts';
import type { EventWithUse } from './events.store.ts';

/** Rows as the contract's answers. */

export interface PlainPasswords {
  upload: string | null;
  fotobox: string | null;
}

export function guestView(event: EventRow): GuestEvent {
  return {
    title: event.title,
    subtitle: event.subtitle,
    with_user_upload: event.with_user_upload === 1,
    with_upload_password: event.with_upload_password === 1,
    with_videos: event.with_videos === 1,
  };
}

export function settingsView(event: EventRow) {
  return {
    with_nsfw_check: event.with_nsfw_check === 1,
    with_random_slideshow: event.with_random_slideshow === 1,
    with_fotobox: event.with_fotobox === 1,
    with_user_upload: event.with_user_upload === 1,
    with_slideshow: event.with_slideshow === 1,
    with_videos: event.with_videos === 1,
    with_upload_password: event.with_upload_password === 1,
  };
}

export function hostView(event: EventWithUse, passwords: PlainPasswords): HostEvent {
  const untold = event.reset_at !== null && event.reset_seen_at === null;
  return {
    ...commonView(event),
    user_upload_password: passwords.upload,
    zip_downloaded_at: event.zip_downloaded_at === null ? null : iso(event.zip_downloaded_at),
    password_reset_at: untold ? iso(event.reset_at as number) : null,
  };
}

export function adminView(event: EventWithUse, passwords: PlainPasswords): AdminEvent {
  return {
    ...commonView(event),
    user_upload_password: passwords.upload,
    fotobox_upload_password: passwords.fotobox,
    user: event.host_created_at === null ? null : { username: event.code },
    created_at: iso(event.created_at),
    version: event.version,
  };
}

function commonView(event: EventWithUse) {
  const status = event.zip_status ?? 'idle';
  const purgedAt = event.purged_at ?? event.purging_at;
  return {
    id: event.id,
    code: event.code,
    title: event.title,
    subtitle: event.subtitle,
    start_date: event.start_date,
    end_date: event.end_date,
    is_active: event.is_active === 1,
    ...settingsView(event),
    storage_limit: event.storage_limit === null ? ('unlimited' as const) : event.storage_limit / GB,
    storage: { total: event.used_bytes / GB, photos: { count: event.photo_count }, videos: { count: 0 } },
    storage_stats: { total_size: event.used_bytes },
    device_count: event.device_count,
    zip_status: status as HostEvent['zip_status'],
    zip_progress: event.zip_progress ?? 0,
    deletion_date: deletionDay(event),
    // Its photos are gone as soon as the purge has begun, also where their sealed bytes are yet to follow.
    purged_at: purgedAt === null ? null : iso(purgedAt),
  };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
