import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOBODY } from '../../../http/visitor.ts';
import { enginesForRules } from '../../../database/testing.ts';
import { newDevice, openPortless, type PortlessApp } from '../../testing.ts';
import { createUploadStore } from '../storing/photos-in.store.ts';
import { createAdmission, type Admission } from './admission.ts';
import { createUploadSlots } from './slots.ts';

describe.each(enginesForRules())('an upload on $name is admitted', (engine) => {
  let app: PortlessApp;
  let admission: Admission;
  beforeAll(async () => {
    app = await openPortless({ db: await engine.open() });
    const limits = { maxBytes: 1000, maxVideoBytes: 5000, stallMs: 1000 };
    admission = createAdmission({ ...app, ...limits }, createUploadStore(app), createUploadSlots({ atOnce: 1, graceMs: 100 }));
  });
  afterAll(async () => {
    await app.close();
    await engine.dispose();
  });

  const visitor = { ...NOBODY, deviceId: newDevice(), address: '192.0.2.1' };
  /** Returns the role in which the upload is admitted, or the refusal. */
  const admit = (code: string, password: string | null, least = 10, inPieces = false) =>
    admission.admit(code, { visitor, password }, { least, most: least, inPieces }).then(
      ({ fotobox }) => (fotobox ? 'fotobox' : 'guest'),
      ({ code: refusal }: { code: string }) => refusal,
    );
  const readmit = (id: string, fotobox: boolean) =>
    admission.readmit(id, visitor, fotobox).then(
      () => 'admitted',
      ({ code: refusal }: { code: string }) => refusal,
    );

  it('with the password that the event asks of its guests', async () => {
    const { code } = await app.event({ with_upload_password: 1 }, { upload: 'Sommer' });
    const answers = [await admit(code, null), await admit(code, 'Winter'), await admit(code, 'Sommer')];
    expect(answers).toEqual(['wrong_event_password', 'wrong_event_password', 'guest']);
  });

  it('of guests only where they may upload, and of the Fotobox', async () => {
    const { id, code } = await app.event({ with_user_upload: 0, with_fotobox: 1 }, { fotobox: 'Knipsekasten' });
    expect([await admit(code, null), await admit(code, 'Knipsekasten')]).toEqual(['upload_disabled', 'fotobox']);
    expect([await readmit(id, false), await readmit(id, true)]).toEqual(['upload_disabled', 'admitted']);
  });

  it('not to an event with a changed key', async () => {
    const { id, code } = await app.event({ tampered_at: 1 });
    expect([await admit(code, null), await readmit(id, false)]).toEqual(['unavailable', 'unavailable']);
  });

  it('up to the last byte that the event has room for', async () => {
    const { code } = await app.event({ storage_limit: 100, used_bytes: 60 });
    expect([await admit(code, null, 40), await admit(code, null, 41)]).toEqual(['guest', 'storage_full']);
  });

  it('up to the size of a photo, or of a video where the event takes videos and it comes in pieces', async () => {
    const [photos, videos] = [await app.event(), await app.event({ with_videos: 1 })];
    expect([await admit(photos.code, null, 1000), await admit(photos.code, null, 1001, true)]).toEqual(['guest', 'too_large']);
    const answers = [
      await admit(videos.code, null, 5000, true),
      await admit(videos.code, null, 5001, true),
      await admit(videos.code, null, 1001),
    ];
    expect(answers).toEqual(['guest', 'too_large', 'too_large']);
  });
});
