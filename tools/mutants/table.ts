/** A small wrong change, and the tests that must notice it. */
export interface Mutant {
  /** The file below `server/src/`. */
  in: string;
  /** What would be wrong. */
  says: string;
  /** A text that occurs once in the file, and what replaces it. */
  change: [right: string, wrong: string];
  /** Test files below `server/src/`. */
  noticed: string[];
  /** Part of the names of the tests, a regular expression; by default those on SQLite. */
  by?: string;
}

/**
 * What a hurried developer could get wrong where access, loss and privacy are decided (docs/mutants.md). A line that moves or changes takes
 * its row along; a row whose rule is gone goes.
 */
export const MUTANTS: Mutant[] = [
  // Who sees a photo
  {
    in: 'features/photos/photos.ts',
    says: 'the host of any event sees a photo',
    change: ['if (session?.eventId !== row.event_id) return null;', 'if (!session) return null;'],
    noticed: ['features/links/links.test.ts', 'features/photos/photos.test.ts'],
  },
  {
    in: 'features/photos/photos.ts',
    says: 'visitors of the demo see what others uploaded',
    change: ['if (row.demo === 1 && row.sample === 0) return null;', ''],
    noticed: ['features/demo/demo.test.ts'],
  },
  {
    in: 'features/photos/photos.ts',
    says: 'any device sees a photo',
    change: ['deviceId === null || !timingSafeEqual(deviceHash(vault, deviceId, row.event_id), row.device_hash)', 'deviceId === null'],
    noticed: ['features/photos/photos.test.ts'],
  },
  {
    in: 'features/photos/photos.ts',
    says: 'the wall shows a photo that was taken out of it',
    change: ['row.slideshow === 1 && row.with_slideshow === 1 &&', 'row.with_slideshow === 1 &&'],
    noticed: ['features/photos/videos.test.ts', 'features/accounts/lock.test.ts'],
  },
  {
    in: 'features/photos/photos.ts',
    says: 'the wall shows photos although the slideshow is switched off',
    change: ['row.slideshow === 1 && row.with_slideshow === 1 &&', 'row.slideshow === 1 &&'],
    noticed: ['features/photos/videos.test.ts'],
    by: 'sqlite.*locked slideshow',
  },
  {
    in: 'features/photos/photos.ts',
    says: 'the wall plays a video with its place',
    change: ['{ ...found, own: mine }', '{ ...found, own: found as DescribedPhoto }'],
    noticed: ['features/photos/videos.test.ts'],
    by: 'on sqlite.*locked slideshow',
  },
  {
    in: 'features/photos/photos.ts',
    says: 'guests see a photo that waits for its release',
    change: ['if (row.slideshow !== 1 || !sealed) return null;', 'if (!sealed) return null;'],
    noticed: ['features/gallery/gallery.test.ts'],
  },
  {
    in: 'features/photos/photos.ts',
    says: 'a helper sees photos that nobody asked him about',
    change: ['row.release_state > 0 ? byEvent(helper, row) : null', 'byEvent(helper, row)'],
    noticed: ['features/gallery/gallery.test.ts'],
  },
  {
    in: 'features/photos/lists.ts',
    says: 'visitors of the demo are listed the photos of others',
    change: ['if (event.demo === 0) return null;', 'return null;'],
    noticed: ['features/demo/demo.test.ts'],
  },
  {
    in: 'features/photos/lists.ts',
    says: 'the wall tells names that the host switched off',
    change: ['rows.map(names ? named :', 'rows.map(true ? named :'],
    noticed: ['features/photos/photos.test.ts'],
  },
  {
    in: 'features/links/links.routes.ts',
    says: 'a host makes a link to a photo that this browser sent to another event',
    change: ['if (found.row.event_id !== visitor.host.eventId)', 'if (!found.row)'],
    noticed: ['features/links/links.test.ts'],
  },
  {
    in: 'features/links/links.ts',
    says: 'a link opens its photo after its seven days',
    change: ['photoId && link.expires_at > clock.now()', 'photoId'],
    noticed: ['features/links/links.test.ts'],
  },
  {
    in: 'features/links/links.ts',
    says: 'the demo publishes photos by links',
    change: ["if (row.demo === 1) throw new Refusal('demo_fixed');", ''],
    noticed: ['features/demo/demo.test.ts'],
  },
  {
    in: 'features/links/links.ts',
    says: 'keys of links that have ended stay',
    change: ["await db.kysely.deleteFrom('link_keys').where('token_hash', 'in', expired).execute();", ''],
    noticed: ['features/links/links.test.ts'],
  },
  {
    in: 'features/links/links.ts',
    says: 'a link hands out the place where a photo was taken',
    change: ['made = await withoutPlace(found);', 'made = null;'],
    noticed: ['features/links/links.test.ts'],
  },
  {
    in: 'features/archive/selections.ts',
    says: 'another session of the event downloads a selection',
    change: ['|| row.session_id !== host.sessionId', ''],
    noticed: ['features/archive/selections.test.ts'],
  },
  {
    in: 'features/archive/selections.ts',
    says: 'a selection is downloaded after it has ended',
    change: ['|| row.expires_at <= clock.now()', ''],
    noticed: ['features/archive/selections.test.ts'],
  },
  {
    in: 'images/video/clean-mp4.ts',
    says: 'a place that a track keeps is handed out',
    change: ['const TRACK = within({', 'const TRACK = within({ udta: whole, meta: whole,'],
    noticed: ['images/clean-videos.test.ts'],
    by: 'keeps no place that stands in trak',
  },

  // Guests and passwords
  {
    in: 'features/events/guests.ts',
    says: 'an event takes guests before and after its days',
    change: ['if (!isJoinable(', 'if (false && !isJoinable('],
    noticed: ['features/events/guests.test.ts', 'features/events/events.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'an event with a changed key takes photos',
    change: ['if (event.tampered_at !== null)', 'if (event.tampered_at === 0)'],
    noticed: ['features/uploads/resumable-whole.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'wrong codes are not counted',
    change: [
      "attempt.failed();\n        throw new Refusal('event_not_found');",
      "void attempt;\n        throw new Refusal('event_not_found');",
    ],
    noticed: ['features/events/events.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'wrong event passwords are not counted',
    change: ['attempt.failed();\n        return null;', 'return null;'],
    noticed: ['features/events/events.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'a wrong event password is as good as the right one',
    change: ["if (needed) throw new Refusal('wrong_event_password');\n      return 'guest';\n    },", "return 'guest';\n    },"],
    noticed: ['features/events/events.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'any device learns whether a Fotobox password is right while its network is limited',
    change: ['if (opened || isFotobox || !fotobox) return opened;', 'return opened;'],
    noticed: ['features/events/guests.test.ts'],
  },
  {
    in: 'features/uploads/intake/admission.ts',
    says: 'an upload is not asked for the guests’ password',
    change: ['await guests.checkPassword(event, password ?? undefined, visitor);', "'guest' as 'guest' | 'fotobox'; void password;"],
    noticed: ['features/uploads/resumable.test.ts'],
  },
  {
    in: 'features/uploads/intake/admission.ts',
    says: 'guests upload although the event takes the Fotobox’ photos alone',
    change: ["if (who === 'guest' && event.with_user_upload === 0)", "if (who === 'guest' && event.with_user_upload === 2)"],
    noticed: ['features/uploads/uploads.test.ts'],
  },
  {
    in: 'features/uploads/intake/admission.ts',
    says: 'a file that fits exactly is refused',
    change: ['least <= freeBytes', 'least < freeBytes'],
    noticed: ['features/uploads/uploads.test.ts'],
    by: 'on sqlite.*to the last byte',
  },
  {
    in: 'features/events/programs.ts',
    says: 'a program sends the next invitation to an event with photos to itself',
    change: ['const alone = own && !hasPhotos &&', 'const alone = own &&'],
    noticed: ['features/tokens/tokens.test.ts', 'features/mail/mail.test.ts'],
  },
  {
    in: 'features/events/programs.ts',
    says: 'a program changes the host and the passwords of events that others made',
    change: ["const own = 'assistantId' in by || (await made(by, event));", 'const own = true;'],
    noticed: ['features/tokens/tokens.test.ts'],
  },
  {
    in: 'features/events/events.ts',
    says: 'a program is told who the hosts and customers of other events are',
    change: ["return 'tokenId' in by ? asSent(form, view) : view;", 'return view;'],
    noticed: ['features/tokens/tokens.test.ts'],
  },

  // Logins, sessions, other origins
  {
    in: 'app.ts',
    says: 'everybody chooses the address that guesses are counted for',
    change: ['trustProxy: config.trustProxy,', 'trustProxy: true,'],
    noticed: ['features/uploads/behind-proxy.test.ts'],
    by: '',
  },
  {
    in: 'http/strangers.ts',
    says: 'pages of the same site, not of this origin, change things',
    change: ["return site === 'same-origin' ||", "return site === 'same-origin' || site === 'same-site' ||"],
    noticed: ['http/origin.test.ts'],
    by: '',
  },
  {
    in: 'http/strangers.ts',
    says: 'requests with cookies and without an origin change things',
    change: ['return request.headers.cookie === undefined;', 'return true;'],
    noticed: ['http/origin.test.ts'],
    by: '',
  },
  {
    in: 'features/limits/limits.ts',
    says: 'one guess more than allowed',
    change: ['failures.count < ${most}', 'failures.count <= ${most}'],
    noticed: ['features/limits/limits.test.ts', 'features/accounts/login-limits.test.ts'],
  },
  {
    in: 'features/limits/limits.ts',
    says: 'a failed attempt is taken back',
    change: ['if (!failed) await takeBack(counted);', 'await takeBack(counted);'],
    noticed: ['features/accounts/login-limits.test.ts'],
  },
  {
    in: 'features/limits/limits.ts',
    says: 'a window of failures never ends',
    change: ['const fresh = sql<boolean>`failures.window_start <= ${now - KINDS[kind].window}`;', 'const fresh = sql<boolean>`1 = 0`;'],
    noticed: ['features/accounts/login-limits.test.ts', 'features/limits/limits.test.ts'],
  },
  {
    in: 'features/sessions/sessions.ts',
    says: 'the token of a locked slideshow is a login',
    change: ["projector: 'projector-session',", "projector: 'session',"],
    noticed: ['features/sessions/sessions.test.ts', 'features/accounts/lock.test.ts'],
  },
  {
    in: 'features/sessions/sessions.ts',
    says: 'a session that is used never ends',
    change: ['Math.min(now + SESSIONS[role].idle, row.expires_at_latest)', 'now + SESSIONS[role].idle'],
    noticed: ['features/sessions/sessions.test.ts'],
  },
  {
    in: 'features/sessions/sessions.ts',
    says: 'a session lives on after its end',
    change: ['if (now >= row.expires_at) {', 'if (now < 0) {'],
    noticed: ['features/sessions/sessions.test.ts'],
  },
  {
    in: 'features/accounts/accounts.ts',
    says: 'a reset password leaves the host’s sessions',
    change: ['await sessions.endOfEvent(event.id, trx);', ''],
    noticed: ['features/accounts/accounts.test.ts'],
  },
  {
    in: 'features/accounts/accounts.ts',
    says: 'a login that was under way outlives a reset of its password',
    change: ['heldWithHost(trx, found.id, found.wrapped)', 'heldWithHost(trx, found.id)'],
    noticed: ['features/accounts/accounts.test.ts'],
  },
  {
    in: 'features/accounts/accounts.ts',
    says: 'locking the slideshow leaves the host logged in',
    change: ['|| !(await sessions.end(host.sessionId, trx))', ''],
    noticed: ['features/accounts/lock.test.ts'],
  },

  // Keys and sealed bytes
  {
    in: 'vault/segments.ts',
    says: 'the last segment is sealed like any other, so a cut blob opens',
    change: ['bytes[NONCE_LENGTH - 1] = last ? 1 : 0;', 'bytes[NONCE_LENGTH - 1] = 0; void last;'],
    noticed: ['vault/vectors.test.ts', 'vault/segments.test.ts'],
    by: '',
  },
  {
    in: 'vault/segments.ts',
    says: 'bytes behind the end of a blob go unnoticed',
    change: ['if (index === count - 1) await pieces.expectEnd();', ''],
    noticed: ['vault/segments.test.ts'],
    by: '',
  },
  {
    in: 'vault/segments.ts',
    says: 'a thumbnail’s bytes open as the original of the same photo',
    change: ["label('blob', eventId, photoId, variant)", "label('blob', eventId, photoId)"],
    noticed: ['vault/segments.test.ts', 'vault/vectors.test.ts'],
    by: '',
  },
  {
    in: 'vault/tokens.ts',
    says: 'a private key is taken that does not belong to the public one',
    change: [
      "return provedPrivateKey(openUnder(wrapped, token, 'token-wrap', ownerLabel(owner, publicKey)), publicKey);",
      "return openUnder(wrapped, token, 'token-wrap', ownerLabel(owner, publicKey)); void provedPrivateKey;",
    ],
    noticed: ['vault/vault.test.ts'],
    by: '',
  },
  {
    in: 'vault/tokens.ts',
    says: 'the hash that finds a row does not depend on what it is for',
    change: ["label('lookup', purpose)", "label('lookup', purpose && 'any')"],
    noticed: ['vault/vectors.test.ts', 'vault/vault.test.ts'],
    by: '',
  },
  {
    in: 'vault/wrapping.ts',
    says: 'changed bytes are told as a wrong password',
    change: ['if (!timingSafeEqual(wrapped.subarray(COMMITMENT_AT, BOX_AT), derived.subarray(KEY_LENGTH)))', 'if (false)'],
    noticed: ['vault/vault.test.ts'],
    by: '',
  },
  {
    in: 'vault/photo-secrets.ts',
    says: 'the key of one photo is taken for that of another',
    change: ["return label('covered-key', eventId, photoId, holder);", "return label('covered-key', eventId, holder); void photoId;"],
    noticed: ['vault/vault.test.ts', 'vault/vectors.test.ts'],
    by: '',
  },

  // What is deleted is gone
  {
    in: 'features/events/purge.ts',
    says: 'the event’s key outlives the event',
    change: ["  'event_keys',\n", ''],
    noticed: ['features/events/purge.test.ts', 'features/events/events.test.ts'],
  },
  {
    in: 'features/events/purge.ts',
    says: 'the host’s wrapped key outlives the event',
    change: ["  'host_keys',\n", ''],
    noticed: ['features/retention/retention.test.ts'],
  },
  {
    in: 'features/events/purge.ts',
    says: 'the guests’ keys outlive the event',
    change: ["  'guest_keys',\n", ''],
    noticed: ['features/events/purge.test.ts', 'features/retention/retention.test.ts', 'features/retention/erasure.test.ts'],
  },
  {
    in: 'features/events/purge.ts',
    says: 'the event’s secret outlives the event',
    change: ["await trx.deleteFrom('event_secrets').where('event_id', '=', eventId).execute();", ''],
    noticed: ['features/events/purge.test.ts', 'features/retention/erasure.test.ts'],
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
    noticed: ['features/retention/retention.test.ts', 'features/accounts/accounts.test.ts', 'features/admins/admins.test.ts'],
  },
  {
    in: 'http/request-log.ts',
    says: 'full addresses are logged',
    change: ['address: shortAddress(request.ip),', 'address: request.ip || shortAddress(request.ip),'],
    noticed: ['http/request-log.test.ts'],
    by: '',
  },

  // What is stored stays
  {
    in: 'features/integrity/blob-life.ts',
    says: 'a photo whose commit has an unknown outcome loses its bytes',
    change: ['if (isUnknown) note([...Object.keys(placed), ...dropped]);', 'if (isUnknown) await remove(Object.keys(placed));'],
    noticed: ['features/integrity/blob-life.test.ts'],
  },
  {
    in: 'features/uploads/storing/photos-in.store.ts',
    says: 'an event takes more than its limit',
    change: ["row(row('used_bytes', '+', size), '<=', row.ref('storage_limit'))", "row('used_bytes', '<=', row.ref('storage_limit'))"],
    noticed: ['features/uploads/uploads.test.ts'],
  },
  {
    in: 'features/uploads/resumable/open-uploads.store.ts',
    says: 'a superseded sender goes on adding parts',
    change: [".where('version', '=', n)", ''],
    noticed: ['features/uploads/resumable-failures.test.ts', 'features/uploads/resumable.test.ts'],
  },
  {
    in: 'features/uploads/resumable/resumable.ts',
    says: 'another device goes on with an upload whose key it knows',
    change: ["vault.keyedHash(deviceId, 'upload', Buffer.from(key))", "vault.keyedHash(deviceId && 'device', 'upload', Buffer.from(key))"],
    noticed: ['features/uploads/resumable.test.ts'],
  },
  {
    in: 'features/integrity/janitor.ts',
    says: 'the sweep removes photos that are being stored',
    change: ['const GRACE_MS = 3 * HOUR_MS;', 'const GRACE_MS = 0 * HOUR_MS;'],
    noticed: ['features/integrity/janitor.test.ts'],
  },
  {
    in: 'features/integrity/blob-life.ts',
    says: 'the sweep removes parts of open uploads',
    change: ['&& !isPart(key)', '|| isPart(key)'],
    noticed: ['features/integrity/janitor.test.ts'],
  },
  {
    in: 'features/integrity/blob-life.ts',
    says: 'the sweep removes blobs that a photo names',
    change: ['!named.has(key) &&', ''],
    noticed: ['features/integrity/janitor.test.ts'],
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a new blob’s name is lost with the power',
    change: ['await folders.sync(home).catch(noErrorIfMissing);', ''],
    noticed: ['storage/folder-store.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a written blob’s bytes are lost with the power',
    change: ['await fill(file);\n        await file.sync();', 'await fill(file);'],
    noticed: ['storage/folder-store.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a staged blob’s bytes are lost with the power',
    change: ["await withFile(stagedPath, 'r+', (file) => file.sync());", ''],
    noticed: ['storage/folder-store.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a new folder is lost with the power',
    change: ['await sync(dirname(at));', ''],
    noticed: ['storage/folder-store.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'features/backup/backup.ts',
    says: 'a clock that leapt ahead removes all snapshots',
    change: [
      '(await clockGuard.check()) ? now - MAX_AGE_MS : -Infinity',
      '(await clockGuard.check()) || true ? now - MAX_AGE_MS : -Infinity',
    ],
    noticed: ['features/backup/backup.test.ts'],
    by: 'sqlite.*clock that leapt',
  },
  {
    in: 'features/backup/backup.ts',
    says: 'bytes that rotted in the backup are kept',
    change: ['if (!last || proved.sha256 === last.sha256) {', 'if (true) {'],
    noticed: ['features/backup/backup.test.ts'],
  },
  {
    in: 'features/backup/backup.ts',
    says: 'a photo that was deleted meanwhile counts as lost',
    change: ['if (lost.length > 0 && (await isGone(photo.id))) {', 'if (lost.length < 0 && (await isGone(photo.id))) {'],
    noticed: ['features/backup/backup.test.ts'],
    by: 'sqlite.*deleted before its bytes',
  },
  {
    in: 'cli/doctor.ts',
    says: 'a backup of any age is called good',
    change: ['if (age > BACKUP_LATE)', 'if (age > 1000 * BACKUP_LATE)'],
    noticed: ['../../e2e/doctor.test.ts'],
    by: 'how old the last backup is',
  },
];
