import { DEMO_SHOWN_GIGABYTES, GB } from '@feierbild/contract/constants.ts';
import { EventSettings, type AdminEvent, type GuestEvent, type HostEvent } from '@feierbild/contract/entities.ts';
import { deletionDay } from '@feierbild/contract/event-status.ts';
import { isGalleryOpen, isWallWaiting } from '@feierbild/contract/gallery.ts';
import { LINK_PREVIEWS, type LinkPreview } from '@feierbild/contract/link-preview.ts';
import type { Look } from '@feierbild/contract/theme.ts';
import { PALETTES } from '@feierbild/contract/palettes.ts';
import { invitationOf } from '../../database/invitations.ts';
import type { EventRow } from '../../database/rows.ts';
import { archiveState, isUnsaved } from '../archive/archive.ts';
import type { PlainPasswords } from './event-passwords.ts';
import type { EventWithUse, FoundEvent } from './events.store.ts';
import { iso } from '../../lib/clock.ts';

/** An event's switches, which are columns of 0 and 1. */
export const EVENT_SWITCHES = EventSettings.keyof().options;

export function guestView(event: FoundEvent, now: number): GuestEvent {
  const { title, subtitle } = event;
  const { with_user_upload, with_upload_password, with_videos } = settingsView(event);
  const look = lookOf(event);
  const hasLook = look.palette !== null || look.welcome !== '' || look.title_picture !== null;
  const wall = wallOf(event, now);
  const shown = { title, subtitle, with_user_upload, with_upload_password, with_videos, ...(hasLook && { look }), ...(wall && { wall }) };
  if (event.gallery_mode === 'drop') return shown;
  const gallery = {
    mode: event.gallery_mode,
    opens_at: iso(event.gallery_opens_at),
    open: isGalleryOpen(event, now),
    with_release: event.with_release === 1,
    release_minutes: event.release_minutes,
    photos_per_device: event.gallery_photos_per_device,
    originals: event.gallery_originals === 1,
    own_meanwhile: event.gallery_own_meanwhile === 1,
  };
  return { ...shown, gallery };
}

/** Returns the state of the wall. In the demo there is none, as it would show the photos of other visitors. */
function wallOf(event: FoundEvent, now: number): GuestEvent['wall'] {
  if (event.with_slideshow !== 1 || event.demo === 1) return undefined;
  return isWallWaiting(event, now) ? 'later' : 'now';
}

export function lookOf({ palette, welcome, title_picture: id }: Pick<FoundEvent, 'palette' | 'welcome' | 'title_picture'>): Look {
  // A newer release may have stored a palette that this one does not know.
  const known = PALETTES.find((name) => name === palette) ?? null;
  return { palette: known, welcome, title_picture: id === null ? null : `/api/pictures/${id}` };
}

/**
 * Returns the host's choice for previews of the link. By default, an event with a password shows only the brand, as its title is not for
 * everybody.
 */
export function linkPreviewOf({ link_preview, with_upload_password }: EventRow): LinkPreview {
  return LINK_PREVIEWS.find((one) => one === link_preview) ?? (with_upload_password === 1 ? 'brand' : 'event');
}

export function settingsView(event: EventRow) {
  return Object.fromEntries(EVENT_SWITCHES.map((name) => [name, event[name] === 1])) as Record<(typeof EVENT_SWITCHES)[number], boolean>;
}

export function hostView(event: EventWithUse, passwords: PlainPasswords, waiting: number, now: number): Omit<HostEvent, 'receipt_link'> {
  const notShownYet = event.reset_at !== null && event.reset_seen_at === null;
  return {
    ...commonView(event, now),
    // The demo shows a real event's limit; its own is far lower.
    ...(event.demo === 1 && { storage_limit: DEMO_SHOWN_GIGABYTES }),
    user_upload_password: passwords.upload,
    previews: { coming: Number(event.coming_count), left: event.announced_count - Number(event.coming_count) },
    waiting,
    release_minutes: event.release_minutes,
    look: lookOf(event),
    link_preview: linkPreviewOf(event),
    phone_language: event.phone_language === 1,
    password_reset_at: notShownYet ? iso(event.reset_at as number) : null,
  };
}

export function adminView(event: EventWithUse, passwords: PlainPasswords, now: number): AdminEvent {
  return {
    ...commonView(event, now),
    user_upload_password: passwords.upload,
    fotobox_upload_password: passwords.fotobox,
    user:
      event.host_created_at === null
        ? null
        : {
            username: event.code,
            first_login_at: iso(event.first_login_at),
            password_set_at: iso(event.reset_at ?? event.host_created_at),
          },
    look: lookOf(event),
    host: event.host_email === null ? null : { email: event.host_email, name: event.host_name ?? '' },
    customer: event.customer ?? '',
    order_number: event.order_number ?? '',
    note: event.note ?? '',
    invited_until: event.invited_until === null || event.invited_until <= now ? null : iso(event.invited_until),
    invitation_state: invitationOf(event, now),
    created_at: iso(event.created_at),
    version: event.version,
  };
}

function commonView(event: EventWithUse, now: number) {
  const { zip_status: status, zip_progress: progress, zip_started_at: started_at } = event;
  const zip = archiveState(status === null ? undefined : { status, progress: progress ?? 0, started_at: started_at ?? 0 }, now);
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
    storage: { total: event.used_bytes / GB, photos: { count: event.photo_count }, videos: { count: event.video_count } },
    storage_stats: { total_size: event.used_bytes },
    device_count: event.device_count,
    zip_status: zip.status,
    zip_progress: zip.progress,
    deletion_date: deletionDay(event),
    // Photos count as deleted as soon as the purge has begun, even if their sealed bytes are still stored.
    purged_at: iso(purgedAt),
    zip_downloaded_at: iso(event.zip_downloaded_at),
    unsaved: event.purging_at === null && isUnsaved(event),
  };
}
