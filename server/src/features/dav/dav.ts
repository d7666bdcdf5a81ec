import { MINUTE } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { EventRow } from '../../database/schema.ts';
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

/** Of a file that is taken and dropped, bytes. */
const JUNK_BYTES = 1024 * 1024;
const DEVICE_NAME = 'Fotobox';
/**
 * For this time the booth that stored a photo can read it back, delete it, rename it or give it a link. The booth is recognised by what its
 * request shows, and guests share an address with the booth.
 */
const OWN_MS = 10 * MINUTE;
const TIDIES_UP = /^rclone\//;

/** What a request shows of its sender. */
export interface Login {
  code: string;
  /** From Basic authentication; null where there is none. */
  basic: { user: string; password: string } | null;
  address: string;
  software: string;
  /** Sends forms or reports to an address, and looks for nothing afterwards. */
  onlySends: boolean;
}

/** A booth that has shown its password. */
export interface Booth {
  event: EventRow;
  password: string;
  session: DavSession;
  visitor: DeviceVisitor;
  /** Its software deletes what it failed to send, also where nothing of it arrived: a name goes, and no photo. */
  tidiesUp: boolean;
}

/** A file as it arrives. */
export interface IncomingFile extends Pick<IncomingUpload, 'contentLength' | 'connection'> {
  path: string;
  bytes: AsyncIterable<Bytes>;
  /** Whether it is refused where there is one of its name. */
  isNewName: boolean;
  /** These bytes are a part of a file (`Content-Range`), which is refused. */
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

/** A folder that a booth's software writes to (WebDAV, RFC 4918): each picture becomes a photo of the event. */
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
      // Each printed strip is a photo of its own: its link is written together with it.
      repeatSecret: `${secret}/${linkToken ?? ''}`,
    });
  }

  /** Stores the picture of a form. */
  const storeForm = async (booth: Booth, form: MediaForm): Promise<StoredUpload> => told.add(await store(booth, form, null));

  /** Stores a file under its name; its photo's id. */
  async function storeFile(booth: Booth, { path, bytes, contentLength, connection }: IncomingFile, before?: DavFile): Promise<string> {
    const { filename, token } = await links.booths.named(booth.event.id, finishedName(nameOf(path)), null);
    const stored = await store(booth, { form: oneFile(filename, bytes), contentLength, connection }, token);
    const { id } = stored.photo;
    await told.add(stored, before?.photoId === id || booth.session.get(path)?.photoId === id);
    return id;
  }

  /** For a photo of which nobody else was told. A photo older than OWN_MS stays, though its bytes were sent again. */
  async function removePhoto({ visitor }: Booth, photoId: string): Promise<void> {
    const found = await photos.find(visitor, photoId).catch(ifGone);
    if (!found || clock.now() - found.row.created_at >= OWN_MS) return;
    await photos.remove(found, (trx) => told.takeLast(trx, photoId)).catch(ifGone);
  }

  /** Names the photo of a file that is moved, as long as it is its session's, and makes the link of a token in the name. */
  async function nameAs(booth: Booth, path: string, file: DavFile, name: string): Promise<void> {
    if (file.photoId === null) throw new Refusal('booth_empty');
    const { filename, token } = await links.booths.named(booth.event.id, finishedName(name), null);
    if (token !== null) await links.make(await openPhoto(booth, path), token);
    if (!isOwn(file)) return;
    // Also where an earlier session had stored the same picture: the name is sealed for that one.
    await openPhoto(booth, path)
      .then((found) => photos.rename(booth.visitor.deviceId, found, filename))
      .catch(ifGone);
  }

  return {
    /** Throws Refusal booth_login, and what `guests` refuses. */
    async open({ code, basic, address, software, onlySends }: Login): Promise<Booth> {
      if (!basic || cleanEventCode(basic.user) !== cleanEventCode(code)) throw new Refusal('booth_login');
      const event = await guests.find(code, address);
      // What follows the code in the user's name tells booths apart that share an address and a software.
      const sender = { eventId: event.id, address, user: basic.user, software };
      // Reports come from anywhere: all of an event's are one device.
      const of = onlySends ? { ...sender, address: '', user: '', software: '' } : sender;
      const known = onlySends ? null : (sessions.find(of)?.deviceId ?? null);
      if (!(await guests.isFotobox(event, basic.password, { address, deviceId: known }))) throw new Refusal('booth_login');
      const session = sessions.open(of);
      const visitor = { ...NOBODY, deviceId: session.deviceId, address };
      return { event, password: basic.password, session, visitor, tidiesUp: TIDIES_UP.test(software) };
    },

    /** Takes a file; whether its name is new. Throws Refusal. */
    async put(booth: Booth, file: IncomingFile): Promise<boolean> {
      const { session } = booth;
      const { path, contentLength } = file;
      const before = session.get(path);
      if (path === '') throw new Refusal('booth_forbidden');
      if (file.isNewName && before !== undefined) throw new Refusal('file_exists');
      // Who fails here may delete what has the name, and may do so before the failure is noticed.
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
          // Finder announces no length, and sends nothing first.
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

    /** Fetches the picture of which a webhook tells, and stores it. Throws Refusal media_unreachable, and what a form is refused for. */
    takeReported: (booth: Booth, report: unknown): Promise<StoredUpload> =>
      media.fetched(report, booth.event.id, (form) => storeForm(booth, form)),

    /** A photo that the session has stored. Throws Refusal booth_forbidden, photo_not_found. */
    photo: openPhoto,

    /** Deletes the session's file with its photo, or its folder (`dav-told.store.ts` says which photos go). Throws Refusal booth_forbidden. */
    async remove(booth: Booth, path: string): Promise<void> {
      const { session } = booth;
      const found = path === '' ? [] : session.under(path);
      if (found.length === 0 || !found.every(([, file]) => isOwn(file))) throw new Refusal('booth_forbidden');
      for (const [name, file] of found) {
        // Another request was faster.
        if (session.get(name) !== file) continue;
        session.delete(name);
        const { photoId } = file;
        // Where this fails it may have been done, so that the name must not come back.
        if (photoId === null || booth.tidiesUp || (await told.takeBack(photoId))) continue;
        await removePhoto(booth, photoId).catch((error: unknown) => {
          if (!session.get(name)) session.set(name, file);
          throw error;
        });
      }
    },

    /**
     * Gives a file or folder another name; whether that is new. A photo takes the name, and a token in it becomes its link. Throws Refusal
     * booth_forbidden, file_exists, and booth_empty where a file without a photo would get the name of one.
     */
    async move(booth: Booth, from: string, to: string, overwrite: boolean): Promise<boolean> {
      const { session } = booth;
      const file = session.get(from);
      if (!file || to === '' || `${to}/`.startsWith(`${from}/`)) throw new Refusal('booth_forbidden');
      const isNew = session.get(to) === undefined;
      if (!isNew && !overwrite) throw new Refusal('file_exists');
      // What is in a folder gets longer paths with it.
      for (const [path] of session.under(from)) cleanPath(`${to}${path.slice(from.length)}`);
      if (!file.folder && !isJunk(nameOf(to))) await nameAs(booth, from, file, nameOf(to));
      if (session.get(from) === file) session.move(from, to);
      return isNew;
    },

    /** Throws Refusal folder_exists. */
    makeFolder({ session }: Booth, path: string): void {
      if (path === '' || session.get(path)) throw new Refusal('folder_exists');
      session.set(path, { size: 0, modified: clock.now(), photoId: null, folder: true });
    },

    /** The file or folder of a path and, with `depth` 1, what is directly in it. Undefined where there is none. */
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
