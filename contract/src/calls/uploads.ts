import { z } from 'zod';
import { calls } from '../call.ts';
import { PREVIEW_TYPE, UPLOAD_BODY_TYPE } from '../constants.ts';
import { Photo } from '../entities.ts';
import { TemporaryLink } from './photos.ts';

/**
 * A stored photo. Uploads of the Fotobox get a temporary link for the QR code on its screen. Repr-Digest is the SHA-256 of the stored bytes
 * (RFC 9530).
 */
const StoredPhoto = z.object({ photo: Photo, ...TemporaryLink.partial().shape });

/** 128 random bits, base64url. */
const chosenKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/)
  .optional();
/** A number of bytes in a header. */
const bytes = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
/** Token of a Fotobox that prints its QR code before the upload (docs/fotobox.md). A token that is not of the event's booths is ignored. */
const token = { 'link-token': z.string().optional() };
const device = { 'device-id': z.string().optional() };
const tus = { ...device, 'tus-resumable': z.string().optional() };

/** Refusals shared by all ways of upload; calls with a body add `too_large` and `upload_incomplete` (call.ts). */
const refusals = [
  'event_code_missing',
  'event_inactive',
  'wrong_event_password',
  'upload_disabled',
  'event_not_found',
  'not_a_photo',
  'too_many_pixels',
  'video_refused',
  'video_unreadable',
  'too_many_attempts',
  'unavailable',
  'storage_full',
  'demo_full',
  'device_full',
  'disk_full',
  'demo_fixed',
] as const;

export const uploadCalls = calls('uploads', 'Photos on their way in.', {
  'POST /upload': {
    summary:
      'Stores one photo: multipart fields file, eventCode, deviceName; headers Device-ID, Event-Code, Device-Name and Event-Password (percent-encoded). Where somebody removes headers, the fields eventPassword and eventCode before the file have the same. Answered 201 it is durable; a repeat answers 200 with the first.',
    access: 'device',
    headers: z.object({
      ...device,
      'event-code': z.string().optional(),
      'device-name': z.string().optional(),
      'event-password': z.string().optional(),
      ...token,
    }),
    multipart: true,
    answers: { 200: StoredPhoto, 201: StoredPhoto },
    errors: [...refusals, 'file_missing'],
  },
  'OPTIONS /uploads': {
    summary: 'Which of tus is spoken (https://tus.io/protocols/resumable-upload).',
    access: 'anyone',
    answers: { 204: 'empty' },
  },
  'POST /uploads': {
    summary:
      'Begins an upload that goes on after a break (tus 1.0.0). Upload-Metadata: filename, eventCode, deviceName and, in place of its header, eventPassword, each in base64. The client may choose the key of its address: Upload-Key, 128 random bits in base64url; the same again answers 200 with the same Location. A body is the first bytes; where it is the whole file, the answer is the stored photo.',
    access: 'device',
    headers: z.object({
      ...tus,
      'upload-length': bytes.optional(),
      'upload-defer-length': z.string().optional(),
      'upload-metadata': z.string().max(8192).optional(),
      'upload-key': chosenKey,
      'event-password': z.string().optional(),
      ...token,
    }),
    stream: UPLOAD_BODY_TYPE,
    answers: { 200: StoredPhoto.partial(), 201: StoredPhoto.partial() },
    errors: [...refusals, 'tus_version', 'upload_key_taken', 'upload_offset', 'upload_expired', 'upload_body_type', 'photo_removed'],
  },
  'PUT /uploads/:key/preview': {
    summary:
      'The preview of a photo ahead of its original: a JPEG that the phone has drawn, of at most 1,700 px and 400 KB, with the headers that begin an upload. Answered 201 the photo is shown, as `announced`; its original goes to the Location by PATCH from 0. A repeat answers 200. Where it is refused, the photo itself can be sent.',
    access: 'device',
    headers: z.object({
      ...tus,
      'upload-length': bytes,
      'upload-metadata': z.string().max(8192),
      'event-password': z.string().optional(),
      ...token,
    }),
    stream: PREVIEW_TYPE,
    answers: { 200: StoredPhoto, 201: StoredPhoto },
    errors: [...refusals, 'tus_version', 'upload_body_type', 'preview_refused', 'photo_removed', 'upload_key_taken', 'upload_expired'],
  },
  'HEAD /uploads/:key': {
    summary:
      'How many bytes of an upload are kept: Upload-Offset of Upload-Length, until Upload-Expires. A connection that still sends is ended first.',
    access: 'device',
    headers: z.object(tus),
    answers: { 200: 'empty' },
    errors: ['tus_version', 'upload_not_found', 'upload_expired', 'photo_removed'],
  },
  'PATCH /uploads/:key': {
    summary:
      'The bytes of an upload from Upload-Offset on. Answers 204 with the new Upload-Offset; with the last byte 201, or 200 for a repeat, with the stored photo, which an empty body at the end asks for again (24 h).',
    access: 'device',
    headers: z.object({ ...tus, 'upload-offset': bytes, ...token }),
    stream: UPLOAD_BODY_TYPE,
    answers: { 200: StoredPhoto, 201: StoredPhoto, 204: 'empty' },
    errors: [
      ...refusals,
      'tus_version',
      'upload_not_found',
      'upload_key_taken',
      'upload_offset',
      'upload_expired',
      'upload_body_type',
      'photo_removed',
    ],
  },
  'DELETE /uploads/:key': {
    summary: 'Ends an upload; nothing of it stays. A stored photo stays.',
    access: 'device',
    headers: z.object(tus),
    answers: { 204: 'empty' },
    errors: ['tus_version', 'upload_not_found', 'upload_expired'],
  },
});
