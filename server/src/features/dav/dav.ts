import { MINUTE } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { EventRow } from '../../database/rows.ts';
import { NOBODY, type DeviceVisitor } from '../../http/visitor.ts';
import { networkPath } from '../../lib/address.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Events } from '../events/events.ts';
import type { Context } from '../context.ts';
import type { Links } from '../links/links.ts';
import type { Photos } from '../photos/photos.ts';
import type { IncomingUpload } from '../uploads/intake/form-intake.ts';
import type { StoredUpload, Uploads } from '../uploads/uploads.ts';
import type { Targets } from '../webhooks/target.ts';
import { createMedia, oneFile, type MediaForm } from './dav-media.ts';
import { cleanPath, finishedName, isJunk, nameOf } from './dav-names.ts';
import { createDavSessions, type DavFile, type DavSession } from './dav-sessions.ts';
import { createTold } from './dav-told.store.ts';

/** Most bytes of a file that is accepted and dropped. */
const JUNK_BYTES = 1024 * 1024;
const DEVICE_NAME = 'Fotobox';
/**
 * Time in which the booth that stored a photo can read it back, delete it, rename it or give it a link. It is short, as a booth is
 * recognised only by its request's data, and guests share its address.
 */
const OWN_MS = 10 * MINUTE;
const TIDIES_UP = /^rclone\//;

/** The data by which a request identifies its sender. */
export interface Login {
  code: string;
  /** From Basic authentication or the address; null if there is neither. */
  basic: { user: string; password: string } | null;
  address: string;
  software: string;
  /** True for a sender of forms or reports, which reads nothing back. */
  onlySends: boolean;
}

/** A booth that has shown its password. */
export interface Booth {
  event: EventRow;
  password: string;
  session: DavSession;
  visitor: DeviceVisitor;
  /**
   * True if its software also deletes files whose upload failed before anything arrived; its DELETE removes the name and keeps the photo.
   */
  tidiesUp: boolean;
}

export interface IncomingFile extends Pick<IncomingUpload, 'contentLength' | 'connection'> {
  path: string;
  bytes: AsyncIterable<Bytes>;
  /** True if an existing file of this name is an error. */
  isNewName: boolean;
  /** True if the bytes are only a part of a file (`Content-Range`), which is refused. */
  isPart: boolean;
}

interface Deps extends Pick<Context, 'db' | 'vault' | 'clock' | 'ending'> {
  targets: Pick<Targets, 'get'>;
  events: Pick<Events, 'guests'>;
  photos: Pick<Photos, 'find' | 'remove' | 'rename'>;
  links: Pick<Links, 'make' | 'booths'>;
  uploads: Pick<Uploads, 'receive' | 'drop'>;
}

export type Dav = ReturnType<typeof createDav>;

/** Creates the folder that a booth's software writes to (WebDAV, RFC 4918). Each picture becomes a photo of the event. */
export function createDav({ db, vault, clock, ending, events: { guests }, photos, links, uploads, targets }: Deps) {
  const sessions = createDavSessions();
  const told = createTold({ db });
  const media = createMedia({ targets, ending });

  const now = (file: Omit<DavFile, 'modified' | 'folder'>): DavFile => ({ ...file, modified: clock.now(), folder: false });

  const isOwn = ({ photoId, modified }: DavFile): boolean => photoId === null || clock.now() - modified < OWN_MS;

  async function openPhoto({ visitor, session }: Booth, path: string) {
    const file = session.get(path);
    if (!file || !isOwn(file) || file.photoId === null) throw new Refusal('booth_forbidden');
    return photos.find(visitor, file.photoId);
  }

  /** Stores a picture as `POST /upload` does. */
  async function store({ event, password, visitor }: Booth, form: MediaForm, linkToken: string | null): Promise<StoredUpload> {
    const secret = await vault.secretOf(password, `webdav:${event.id}`, networkPath(visitor.address));
    return uploads.receive({
      ...form,
      visitor,
      eventCode: event.code,
      deviceName: DEVICE_NAME,
      password,
      linkToken,
      // Each printed strip is a photo of its own, as its link is written together with it.
      repeatSecret: `${secret}/${linkToken ?? ''}`,
    });
  }

  const storeForm = async (booth: Booth, form: MediaForm): Promise<StoredUpload> => told.add(await store(booth, form, null));

  /** Stores a file under its name and returns its photo's id. */
  async function storeFile(booth: Booth, { path, bytes, contentLength, connection }: IncomingFile, before?: DavFile): Promise<string> {
    const { filename, token } = await links.booths.named(booth.event.id, finishedName(nameOf(path)), null);
    const stored = await store(booth, { form: oneFile(filename, bytes), contentLength, isBare: true, connection }, token);
    const { id } = stored.photo;
    await told.add(stored, before?.photoId === id || booth.session.get(path)?.photoId === id);
    return id;
  }

  /** Deletes a photo if no other booth was told of it. A photo older than OWN_MS stays, even if its bytes were sent again. */
  async function removePhoto({ visitor }: Booth, photoId: string): Promise<void> {
    const found = await photos.find(visitor, photoId).catch(ifGone);
    if (!found || clock.now() - found.row.created_at >= OWN_MS) return;
    await photos.remove(found, (trx) => told.takeLast(trx, photoId)).catch(ifGone);
  }

  /** Makes the link of a token in a moved file's new name, and renames its photo while the session owns it. */
  async function nameAs(booth: Booth, path: string, file: DavFile, name: string): Promise<void> {
    if (file.photoId === null) throw new Refusal('booth_empty');
    const { filename, token } = await links.booths.named(booth.event.id, finishedName(name), null);
    if (token !== null) await links.make(await openPhoto(booth, path), token);
    if (!isOwn(file)) return;
    // `ifGone` also ignores a photo that an earlier session sent: its name is sealed for that session's device.
    await openPhoto(booth, path)
      .then((found) => photos.rename(booth.visitor.deviceId, found, filename))
      .catch(ifGone);
  }

  return {
    /** Logs a booth in. Throws Refusal `booth_login`, and the refusals of `guests`. */
    async open({ code, basic, address, software, onlySends }: Login): Promise<Booth> {
      if (!basic || cleanEventCode(basic.user) !== cleanEventCode(code)) throw new Refusal('booth_login');
      const event = await guests.find(code, address);
      // Booths with the same address and software differ by the text after the code in their user's name.
      const sender = { eventId: event.id, address, user: basic.user, software };
      // Reports come from any address; all of an event's count as one device.
      const of = onlySends ? { ...sender, address: '', user: '', software: '' } : sender;
      const known = onlySends ? null : (sessions.find(of)?.deviceId ?? null);
      if (!(await guests.isFotobox(event, basic.password, { address, deviceId: known }))) throw new Refusal('booth_login');
      const session = sessions.open(of);
      const visitor = { ...NOBODY, deviceId: session.deviceId, address };
      return { event, password: basic.password, session, visitor, tidiesUp: TIDIES_UP.test(software) };
    },

    /** Takes a file; true if its name is new. Throws Refusal. */
    async put(booth: Booth, file: IncomingFile): Promise<boolean> {
      const { session } = booth;
      const { path, contentLength } = file;
      const before = session.get(path);
      if (path === '') throw new Refusal('booth_forbidden');
      if (file.isNewName && before !== undefined) throw new Refusal('file_exists');
      // A program deletes the name after a failure, perhaps before it is noticed here; an earlier photo of this name must not go then.
      session.free(path);
      if (file.isPart) throw new Refusal('invalid_input');
      if (isJunk(nameOf(path)))
        session.set(path, now({ size: await uploads.drop(file.bytes, file.connection, JUNK_BYTES), photoId: null }));
      else if (contentLength === 0) session.set(path, now({ size: 0, photoId: null }));
      else {
        let size = 0;
        const counted = (async function* () {
          for await (const piece of file.bytes) {
            size += piece.length;
            yield piece;
          }
        })();
        const photoId = await storeFile(booth, { ...file, bytes: counted }, before).catch((error: unknown) => {
          // Finder sends an empty file first, without announcing a length.
          if (size === 0 && error instanceof Refusal && error.code === 'not_a_photo') return null;
          session.free(path);
          if (error instanceof Refusal) session.delete(path);
          throw error;
        });
        session.set(path, now({ size, photoId }));
      }
      return before === undefined;
    },

    /** Stores the picture of a form. Throws Refusal. */
    takeForm: storeForm,

    /** Fetches and stores the picture that a webhook reports. Throws Refusal `media_unreachable`, and the refusals of a form. */
    takeReported: (booth: Booth, report: unknown): Promise<StoredUpload> =>
      media.fetched(report, booth.event.id, (form) => storeForm(booth, form)),

    /** Opens a photo that the session has stored. Throws Refusal `booth_forbidden`, `photo_not_found`. */
    photo: openPhoto,

    /**
     * Deletes the session's file or folder with its photos (`dav-told.store.ts` decides which photos go). Throws Refusal `booth_forbidden`.
     */
    async remove(booth: Booth, path: string): Promise<void> {
      const { session } = booth;
      const found = path === '' ? [] : session.under(path);
      if (found.length === 0 || !found.every(([, file]) => isOwn(file))) throw new Refusal('booth_forbidden');
      for (const [name, file] of found) {
        // Another request has deleted or replaced it.
        if (session.get(name) !== file) continue;
        session.delete(name);
        const { photoId } = file;
        // If `takeBack` fails, it may still have counted, so the name must not come back.
        if (photoId === null || booth.tidiesUp || (await told.takeBack(photoId))) continue;
        await removePhoto(booth, photoId).catch((error: unknown) => {
          if (!session.get(name)) session.set(name, file);
          throw error;
        });
      }
    },

    /**
     * Renames a file or folder; true if the new name is new. A photo takes the name, and a token in the name becomes its link. Throws
     * Refusal `booth_forbidden`, `file_exists`, and `booth_empty` if a file without a photo would get a photo's name.
     */
    async move(booth: Booth, from: string, to: string, overwrite: boolean): Promise<boolean> {
      const { session } = booth;
      const file = session.get(from);
      if (!file || to === '' || `${to}/`.startsWith(`${from}/`)) throw new Refusal('booth_forbidden');
      const isNew = session.get(to) === undefined;
      if (!isNew && !overwrite) throw new Refusal('file_exists');
      // The paths of everything in a folder change, too; they must not get too long.
      for (const [path] of session.under(from)) cleanPath(`${to}${path.slice(from.length)}`);
      if (!file.folder && !isJunk(nameOf(to))) await nameAs(booth, from, file, nameOf(to));
      if (session.get(from) === file) session.move(from, to);
      return isNew;
    },

    /** Creates a folder. Throws Refusal `folder_exists`. */
    makeFolder({ session }: Booth, path: string): void {
      if (path === '' || session.get(path)) throw new Refusal('folder_exists');
      session.set(path, { size: 0, modified: clock.now(), photoId: null, folder: true });
    },

    /** Returns the file or folder of a path and, with `depth` 1, the entries directly in it; undefined if there is none. */
    list({ session, event }: Booth, path: string, depth: 0 | 1): [string, DavFile][] | undefined {
      const top = { size: 0, modified: event.created_at, photoId: null, folder: true };
      const file = path === '' ? top : session.get(path);
      return file && [[path, file], ...(depth === 1 && file.folder ? session.inside(path) : [])];
    },
  };
}

function ifGone(error: unknown): undefined {
  if (!(error instanceof Refusal && error.code === 'photo_not_found')) throw error;
}
