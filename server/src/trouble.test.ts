import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { openDatabase } from './database/open.ts';
import { RUN_FOLDER } from './testing/run-folder.ts';
import { explainFailure, explainTrouble, isTemporary, StartFailure } from './trouble.ts';
import { Unavailable } from './lib/errors.ts';
import { DataFolderTaken } from './storage/data-lock.ts';

const s3 = (name: string, httpStatusCode: number) =>
  new S3ServiceException({ name, message: 'Access Denied', $fault: 'client', $metadata: { httpStatusCode } });
const sqlite = (errcode: number) => Object.assign(new Error('attempt to write a readonly database'), { code: 'ERR_SQLITE_ERROR', errcode });
const coded = (code: string, message = '') => Object.assign(new Error(message), { code });

it.each([
  [s3('AccessDenied', 403), /haben in diesem Bucket nicht alle nötigen Rechte.* \(AccessDenied\)$/, true, true],
  [s3('InvalidAccessKeyId', 403), /^den Schlüssel in AWS_ACCESS_KEY_ID kennt/, true, true],
  [s3('SignatureDoesNotMatch', 403), /^AWS_SECRET_ACCESS_KEY gehört nicht/, true, true],
  [new Unavailable('store', s3('NoSuchBucket', 404)), /^diesen Bucket gibt es dort nicht/, true, true],
  [s3('SlowDown', 503), /^Access Denied$/, true, false],
  [coded('28P01', 'password authentication failed'), /^Benutzername oder Passwort stimmen nicht \(28P01\)$/, true, true],
  [coded('3D000'), /legen Sie sie an \(createdb\)/, true, true],
  [new Unavailable('database', coded('57P01')), /^die Verbindung ist abgebrochen \(57P01\)$/, true, false],
  [
    new Error('Connection terminated unexpectedly'),
    /^die Verbindung ist abgebrochen \(Connection terminated unexpectedly\)$/,
    false,
    false,
  ],
  [new Unavailable('database', coded('57P03')), /startet noch/, true, false],
  [new Unavailable('database', new Error('The server does not support SSL connections')), /^PostgreSQL spricht dort kein TLS/, true, true],
  [
    new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]),
    /^dort nimmt niemand Verbindungen an \(ECONNREFUSED\)$/,
    false,
    false,
  ],
  [coded('CERT_HAS_EXPIRED'), /^das Zertifikat ist abgelaufen/, false, true],
  [coded('ENOSPC'), /^auf der Platte ist kein Platz mehr$/, true, false],
  [
    Object.assign(coded('EACCES', 'EACCES: permission denied'), { path: '/data/photos' }),
    /^dem Benutzer, unter dem dies läuft, fehlen dort Rechte \(\/data\/photos\)$/,
    true,
    false,
  ],
  [Object.assign(coded('EROFS'), { path: '/data' }), /^der Datenträger lässt sich nur lesen \(\/data\)$/, true, false],
  [coded('EACCES', 'connect EACCES'), /^connect EACCES$/, false, false],
  [coded('Unknown system error -117', 'read'), /^der Datenträger meldet Fehler \(read\)$/, true, false],
  [coded('EIO', 'EIO: i/o error, write'), /^der Datenträger meldet Fehler \(EIO: i\/o error, write\)$/, true, false],
  [new Unavailable('database', sqlite(5)), /^ein anderer Prozess hat sie gerade länger für sich, .* \(attempt/, true, false],
  [sqlite(8), /^dem Benutzer, unter dem dies läuft, fehlen dort Rechte \(attempt/, true, false],
  [new Error('something else'), /^something else$/, false, false],
])('%s says in German what it is, whether the other side answered, and whether waiting may help', (error, text, refused, lasting) => {
  expect(explainTrouble(error)).toEqual({ text: expect.stringMatching(text), refused, lasting });
});

it('a start that cannot listen may succeed later where the address is gone or the port is taken, not where it may not', () => {
  const failure = (code: string): Error => Object.assign(new Error(code), { syscall: 'listen', code });
  expect(['EADDRNOTAVAIL', 'EADDRINUSE', 'EACCES'].map((code) => isTemporary(failure(code)))).toEqual([true, true, false]);
});

it('a start beside a process that has the file of the database for itself may succeed later', () => {
  expect([5, 261, 11].map((code) => isTemporary(new StartFailure('DATA_DIR', sqlite(code))))).toEqual([true, true, false]);
});

it('a start that may not write to the lock of the data folder says so, and another attempt does not help', () => {
  const said = /^DATA_DIR: Der Ordner lässt sich nicht benutzen: dem Benutzer, unter dem dies läuft, fehlen dort Rechte \(attempt/;
  expect(explainFailure(sqlite(8), { port: 8080, metrics: null })).toMatch(said);
  expect([8, 5].map((code) => isTemporary(sqlite(code)))).toEqual([false, true]);
});

it('a start whose predecessor still has the data folder may succeed later: it has the folder for as long as the port', () => {
  expect(isTemporary(new DataFolderTaken('/data', new Error('database is locked')))).toBe(true);
});

it.each([
  ['half of one', (file: string) => truncateSync(file, 4096 * 4), /^die Datei der Datenbank ist beschädigt.*malformed/],
  ['something else', (file: string) => writeFileSync(file, randomBytes(8192)), /^die Datei der Datenbank ist beschädigt.*not a database/],
  ['a folder', (file: string) => (rmSync(file), mkdirSync(file)), /^die Datei der Datenbank lässt sich nicht öffnen/],
])('a file of SQLite that is %s is called so', async (_, damage, text) => {
  const folder = mkdtempSync(join(RUN_FOLDER, 'trouble-'));
  const file = join(folder, 'feierbild.sqlite');
  await (await openDatabase({ url: null, file }, { schema: 'migrate' })).close();
  damage(file);
  const error = await openDatabase({ url: null, file }, { schema: 'require' }).then(
    (db) => db.check(),
    (failed: unknown) => failed,
  );
  expect(explainTrouble(error).text).toMatch(text);
  rmSync(folder, { recursive: true });
});
