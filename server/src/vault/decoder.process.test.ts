import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createVault, type KeyOwner } from './vault.ts';
import { collect, inPieces, pattern } from './testing/bytes.ts';
import vectors from './testing/vectors.json' with { type: 'json' };

const vault = createVault();
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');
const { photo, guest, gallery, upload, blobs, token } = vectors;
const owner = vectors.owner as KeyOwner;
const photoKey = bytes(photo.key);
const blob = { eventId: photo.eventId, photoId: photo.photoId, variant: blobs.variant };

/** Path of a python3 that has the package `cryptography`, or null. */
const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['-c', 'import cryptography']).status === 0) ?? null;

describe.skipIf(python === null)(
  `the decoder written from the documentation${python ? '' : ' (skipped: no python3 with cryptography)'}`,
  () => {
    it.each([0, 1, 100, 262_088, 262_089, 700_000])('opens a blob of %i bytes, from the session’s token on', async (size) => {
      const content = pattern(size);
      const made = await collect(vault.sealBlob(photoKey, blob, inPieces(content, 65_536)));
      const job = {
        token: token.token,
        owner,
        publicKey: vectors.keys.publicKey,
        wrapped: token.wrapped,
        eventId: photo.eventId,
        photoId: photo.photoId,
        secret: photo.cover.secret,
        coveredForEvent: photo.cover.forEvent,
        facts: photo.facts.sealed,
        deviceHash: guest.deviceHash,
        sealedGuestKey: guest.sealedForEvent,
        description: guest.description.sealed,
        variant: blobs.variant,
        blob: hex(made),
      };
      const script = fileURLToPath(new URL('testing/decode.py', import.meta.url));
      const run = spawnSync(python ?? '', [script], { input: JSON.stringify(job), encoding: 'utf8', maxBuffer: 1e8 });
      expect(run.stderr).toBe('');
      const answer = JSON.parse(run.stdout) as Record<string, unknown>;
      expect(answer).toEqual({
        privateKey: vectors.keys.privateKey,
        photoKey: photo.key,
        sha256: photo.facts.sha256,
        crc32: photo.facts.crc32,
        description: { deviceName: 'Jörg', filename: 'IMG_0042.jpg', takenAt: '2026-05-17T21:04:00' },
        content: content.toString('hex'),
      });
    });

    it('opens a shown photo from a gallery’s link on, and the gallery from a device’s id on', async () => {
      const content = pattern(300_000);
      const job = {
        galleryToken: gallery.token,
        publicKey: gallery.publicKey,
        wrapped: gallery.wrapped,
        deviceId: gallery.device.deviceId,
        deviceHash: guest.deviceHash,
        access: gallery.device.access,
        eventId: photo.eventId,
        photoId: photo.photoId,
        secret: photo.cover.secret,
        coveredForGallery: gallery.covered,
        variant: blobs.variant,
        blob: hex(await collect(vault.sealBlob(photoKey, blob, inPieces(content, 65_536)))),
      };
      const script = fileURLToPath(new URL('testing/decode.py', import.meta.url));
      const run = spawnSync(python ?? '', [script], { input: JSON.stringify(job), encoding: 'utf8', maxBuffer: 1e8 });
      expect(run.stderr).toBe('');
      const { privateKey: opened } = gallery;
      expect(JSON.parse(run.stdout)).toEqual({
        privateKey: opened,
        byDevice: opened,
        photoKey: photo.key,
        content: content.toString('hex'),
      });
    });

    it('opens the parts of an upload from the device’s id on, and computes its hashes', async () => {
      const { eventId, uploadId, deviceId, wrappedForDevice, uploadKey } = upload;
      const content = pattern(600_000);
      const sealed = async (n: number, from: number, to: number) => {
        const part = { eventId, photoId: uploadId, variant: `part-${n}` };
        return { n, blob: hex(await collect(vault.sealBlob(bytes(upload.key), part, inPieces(content.subarray(from, to), 65_536)))) };
      };
      const parts = [await sealed(7, 300_000, 600_000), await sealed(1, 0, 300_000)];
      const job = { eventId, uploadId, deviceId, wrappedForDevice, uploadKey, parts, sha256: upload.fingerprint.sha256 };
      const script = fileURLToPath(new URL('testing/decode.py', import.meta.url));
      const run = spawnSync(python ?? '', [script], { input: JSON.stringify(job), encoding: 'utf8', maxBuffer: 1e8 });
      expect(run.stderr).toBe('');
      expect(JSON.parse(run.stdout)).toEqual({
        key: upload.key,
        keyHash: upload.keyHash,
        fingerprint: hex(vault.keyedHash(deviceId, `fingerprint:${eventId}`, bytes(upload.fingerprint.sha256))),
        content: content.toString('hex'),
      });
    });
  },
);
