import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { explainTrouble } from '../trouble.ts';
import { typedPath } from '../config/config.ts';
import { createDecoder } from '../images/create-decoder.ts';
import { isGone } from '../features/backup/backup.ts';
import { OthersStore } from '../features/integrity/store-owner.ts';
import { HEALTH } from '../features/health/health.ts';
import { createLog } from '../lib/log.ts';
import { INSTALL_AGAIN, START } from '../lib/software.ts';
import { single } from '../lib/stages.ts';
import type { Features } from '../wiring.ts';
import { Failure, type Command } from './command.ts';
import { bad, caution, good, lineOf, reason, type Checked, type Lines } from './doctor-lines.ts';
import { checkNetwork } from './doctor-network.ts';
import { checkPostgres } from './doctor-postgres.ts';
import { SAMPLES } from './doctor-samples.ts';

/** Timeout of requests to this machine, where the service answers at once or not at all, ms. */
const LOCAL_TIMEOUT = 3_000;

const NOT_READY = 'Auf der Platte für Uploads fehlt Platz, die Decoder starten nicht, oder er endet gerade. Das Log sagt es („not ready“).';

const CHECKS: ((checked: Checked) => Lines)[] = [
  checkDisk,
  checkService,
  checkStores,
  checkUploads,
  checkCleaning,
  checkNetwork,
  checkDecoder,
  checkBackup,
];
const WIDTH = 'Achtung'.length;

export const doctor: Command = {
  name: 'doctor',
  parameters: '[<Ordner der Sicherungen>]',
  summary: 'untersucht die Umgebung: Platz, Dienst, Uhr, Proxy, Decoder, Datenbank, Speicher, Sicherungen',
  async run({ args: [given] }, { config, features, terminal }) {
    let failed = false;
    for (const check of CHECKS) {
      for await (const { state, about, text } of check({ config, features, folder: given && typedPath(given) })) {
        failed ||= state === 'Fehler';
        terminal.print(`${state.padEnd(WIDTH)}  ${about}: ${text}`);
      }
    }
    return failed ? 1 : 0;
  },
};

/** Checks that the data folder is writable and has room. */
async function* checkDisk({ config: { dataDir } }: Checked): Lines {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'ok');
  } catch (error) {
    return yield bad('DATA_DIR', `${dataDir} ist nicht beschreibbar (${reason(error)}). Geben Sie dem Benutzer des Dienstes Rechte.`);
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
  const { bavail, bsize } = await statfs(dataDir);
  const disk = async () => ({ free: bavail * bsize, folder: dataDir });
  yield* lineOf(HEALTH.disk, await HEALTH.disk.ask({ read: { disk } }));
}

/** Checks that the service answers on this machine. */
async function* checkService({ config: { host, port } }: Checked): Lines {
  const everywhere = host === '0.0.0.0' || host === '::';
  const address = everywhere ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host;
  const ask = (path: string) =>
    fetch(`http://${address}:${port}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(LOCAL_TIMEOUT) });
  try {
    const answer = await ask('/health');
    const body = await answer.text();
    if (answer.status !== 200 || !body.includes('"ok"'))
      yield caution('Dienst', `Auf Port ${port} antwortet etwas anderes (Status ${answer.status}). Prüfen Sie PORT.`);
    else if ((await ask('/ready')).ok) yield good('Dienst', `Der Dienst läuft auf Port ${port}.`);
    else yield caution('Dienst', `Der Dienst läuft auf Port ${port}, ist aber nicht bereit (/ready): ${NOT_READY}`);
  } catch (error) {
    yield caution('Dienst', `Der Dienst antwortet nicht auf Port ${port} (${reason(error)}). Starten Sie ihn: ${START}.`);
  }
}

/** Checks database, photo store and the first password. */
async function* checkStores({ config: { databaseUrl }, features }: Checked): Lines {
  let opened: Features;
  try {
    opened = await features();
    await opened.db.check();
  } catch (error) {
    const trouble = `${troubleOf(error)}.${databaseUrl ? ' Prüfen Sie DATABASE_URL.' : ''}`;
    return yield bad('Datenbank', error instanceof Failure ? error.message : trouble);
  }
  const { db, blobs, storeOwner, admins, config, installation } = opened;
  const last = (await db.migrations()).at(-1) ?? 'leer';
  yield good('Datenbank', `${db.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} antwortet, Stand ${last}.`);
  if (db.engine === 'postgres') yield* checkPostgres(db);
  const place = config.s3 ? 'STORAGE_URL und Zugangsdaten' : 'die Rechte in DATA_DIR';
  const usable = blobs.check().then(storeOwner.check);
  yield usable.then(
    () => good('Fotospeicher', 'ist beschreibbar.'),
    (error: unknown) => bad('Fotospeicher', error instanceof OthersStore ? error.message : `${troubleOf(error)}. Prüfen Sie ${place}.`),
  );
  if (config.s3) {
    const { bucketDeletions, bucketVersioning } = await import('../storage/s3-client.ts');
    yield bucketDeletions(config.s3).then(
      (how) =>
        how === 'together'
          ? good('Löschen', 'Der Bucket löscht einzelne Fotos und viele auf einmal.')
          : caution('Löschen', 'Der Bucket löscht Fotos nur einzeln. Das geht, aber ein großes Event zu löschen dauert länger.'),
      (error: unknown) =>
        bad('Löschen', `Der Bucket löscht keine Fotos: ${explainTrouble(error).text}. Prüfen Sie die Rechte der Zugangsdaten.`),
    );
    const versioning = bucketVersioning(config.s3).then(
      (state) => ({ state }),
      (error: unknown) => ({ state: 'unknown' as const, why: explainTrouble(error).text }),
    );
    yield* lineOf(HEALTH.versions, await HEALTH.versions.ask({ read: { versioning: () => versioning } }));
  }
  const read = { initialPassword: admins.initialPasswordInUse, leftBehind: installation.leftBehind };
  for (const question of [HEALTH['first-password'], HEALTH['left-behind']]) yield* lineOf(question, await question.ask({ read }));
}

function troubleOf(error: unknown): string {
  const { text, refused } = explainTrouble(error);
  return `${refused ? 'lehnt ab' : 'antwortet nicht'}: ${text}`;
}

/** Checks the size of broken-off uploads, and that abandoned ones are removed. */
async function* checkUploads({ features }: Checked): Lines {
  const found = await features()
    .then(({ uploads }) => uploads.resumable.list())
    .catch(() => null);
  if (!found) return yield caution('Übertragungen', 'ließen sich ohne Datenbank nicht prüfen.');
  yield* lineOf(HEALTH.uploads, await HEALTH.uploads.ask({ now: Date.now(), read: { openUploads: async () => found } }));
}

/** Checks that due events are deleted. An earlier check has reported a database that does not answer. */
async function* checkCleaning({ features }: Checked): Lines {
  const opened = await features().catch(() => null);
  if (!opened) return;
  const { clockGuard, retention } = opened;
  const clockRight = async () => (await clockGuard.refusedAt()) === null;
  const read = { clockRight, overdue: retention.overdue, lastCleaning: retention.lastDone };
  yield* lineOf(HEALTH.cleaning, await HEALTH.cleaning.ask({ now: Date.now(), read }));
}

/** Decodes a photo of either kind with the real processes. */
async function* checkDecoder(): Lines {
  const decoder = createDecoder({ processes: 1, log: createLog('silent') });
  try {
    for (const [name, bytes] of Object.entries(SAMPLES)) {
      const about = `Decoder ${name}`;
      try {
        const { width, height } = await decoder.decode(() => single(bytes), bytes.length, { owner: '' });
        yield width === 64 && height === 64 ? good(about, 'liest Fotos.') : bad(about, `liest falsch. ${INSTALL_AGAIN}.`);
      } catch (error) {
        yield bad(about, `liest keine Fotos (${reason(error)}). ${INSTALL_AGAIN}.`);
      }
    }
    yield* lineOf(HEALTH.isolation, HEALTH.isolation.ask(decoder));
  } finally {
    await decoder.close();
  }
}

/**
 * Checks that the newest backup is fresh enough to help, and the oldest young enough to be kept: in a folder or, without one, in all known
 * ones.
 */
async function* checkBackup({ features, folder }: Checked): Lines {
  const opened = await features().catch(() => null);
  if (!opened) return yield caution('Sicherung', 'ließ sich ohne Datenbank nicht prüfen.');
  const last = folder === undefined ? await opened.backup.last() : await opened.backup.lastIn(folder);
  if (last === null && folder !== undefined)
    return yield bad(
      'Sicherung',
      `In ${folder} ist keine vollständige. Ist der Datenträger eingehängt? Richten Sie ein tägliches „backup“ ein.`,
    );
  if (last && (await isGone(last)))
    return yield bad('Sicherung', `In ${last.folder} liegt die letzte nicht mehr. Ist der Datenträger eingehängt? Sichern Sie neu.`);
  const facts = { now: Date.now(), read: { lastBackup: async () => last } };
  yield* lineOf(HEALTH.backup, await HEALTH.backup.ask(facts));
  yield* lineOf(HEALTH['old-backups'], await HEALTH['old-backups'].ask(facts));
}
