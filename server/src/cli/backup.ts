import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { typedPath } from '../config/config.ts';
import { cleanText } from '../lib/clean-text.ts';
import { instantText } from '../lib/german.ts';
import { OthersFolder, refuseOtherVersion, type LastBackup } from '../features/backup/backup.ts';
import type { CheckedAll } from '../features/integrity/integrity.ts';
import { storeFolders } from '../foundation.ts';
import { CLOCK_SKEW_MS } from '../lib/clock.ts';
import { Refusal } from '../lib/errors.ts';
import { lockDataFolder } from '../storage/data-lock.ts';
import { Failure, LOCAL, type Command, type Terminal } from './command.ts';
import { textOf } from './error-text.ts';
import { count } from '../lib/german.ts';
import { explainTrouble } from '../trouble.ts';

const KINDS = { photo: 'Foto', upload: 'Übertragung', blob: 'Datei', folder: 'Ordner', event: 'Event', further: 'Außerdem' } as const;

const UNNOTED = 'vermerken ließ sie sich in der Datenbank nicht, und der Dienst hält die vorige für die letzte:';

/** Commands that check all photos and back them up. */
export const backupCommands: Command[] = [
  {
    name: 'verify',
    parameters: '[--event <Code>]',
    summary: 'prüft, ob jedes Foto ganz da ist; mit --event und dem Passwort des Gastgebers auch jedes Byte',
    async run({ options }, { features, terminal }) {
      const { accounts, integrity } = await features();
      const code = options.get('event');
      if (code === undefined) return printChecked(terminal, await integrity.check());
      const password = await terminal.ask(`Passwort des Gastgebers von „${code}“: `, { hidden: true });
      const host = await accounts.authenticateHost({ username: code, password, address: LOCAL }).catch(explain);
      try {
        const opened = await integrity.openAll(host.id, host.keys.privateKey);
        const all = await integrity.check();
        return printChecked(terminal, { ...all, ...opened, findings: [...opened.findings, ...all.findings] });
      } finally {
        host.keys.privateKey.fill(0);
      }
    },
  },
  {
    name: 'backup',
    parameters: '<Ordner>',
    summary: 'sichert Datenbank und Fotos in einen Ordner; Stände vor mehr als 14 Tagen gehen dabei',
    async run({ args: [given = ''] }, { features, terminal }) {
      const folder = typedPath(given);
      const { backup, config, mail } = await features();
      const failed = async (why: string, isOurs = true): Promise<unknown> => {
        const read = backup.lastIn(folder).then(
          (last) => leftText(folder, last),
          () => `Was in ${folder} liegt, ließ sich nicht lesen.`,
        );
        const grund = [why.replace(/\.?$/, '.'), ...(isOurs ? [await read] : [])].join(' ');
        return mail.toOperator('backup_failed', { zeit: instantText(Date.now()), grund });
      };
      if (isWithin(folder, storeFolders(config)) || realPath(folder) === realPath(config.dataDir))
        throw new Failure(
          `In ${folder} liegen die Fotos des Dienstes. Sichern Sie in einen Ordner daneben, am besten auf einem anderen Datenträger.`,
        );
      const done = await backup.take(folder).catch(async (error: unknown) => {
        // If the database fails, there is no operator to mail to.
        await failed(textOf(error), !(error instanceof OthersFolder)).catch(() => undefined);
        throw error;
      });
      terminal.print(
        `Sicherung ${done.snapshot}: ${count(done.photos, 'Foto', 'Fotos')}, ${done.copied} Dateien kopiert, ${done.present} waren schon da.`,
      );
      if (done.removed > 0) terminal.print(`${count(done.removed, 'alter Stand', 'alte Stände')} entfernt.`);
      for (const name of done.ahead)
        terminal.print(
          `Der Stand ${name} trägt ein Datum in der Zukunft und bleibt deshalb. Geht die Uhr nach, stellen Sie sie; ging sie damals vor, löschen Sie ihn.`,
        );
      for (const key of done.rotten) terminal.print(`Datei ${key}: war in der Sicherung beschädigt und ist neu kopiert`);
      for (const key of done.missing) terminal.print(`Datei ${key}: fehlt im Fotospeicher, ist unvollständig oder nicht lesbar`);
      if (done.unnoted !== null) terminal.print(`Sie ist vollständig; ${UNNOTED} ${explainTrouble(done.unnoted).text}.`);
      const reasons = done.unlisted.map(
        (name) => `In der Sicherung lässt sich blobs/${cleanText(name)} nicht lesen; was dort zu alt ist, bleibt.`,
      );
      for (const reason of reasons) terminal.print(reason);
      if (done.missing.length > 0)
        reasons.unshift(`${count(done.missing.length, 'Datei gibt', 'Dateien gibt')} der Fotospeicher nicht her.`);
      if (reasons.length > 0) await failed(reasons.join(' '));
      return reasons.length === 0 && done.unnoted === null ? 0 : 1;
    },
  },
  {
    name: 'restore',
    parameters: '<Ordner> [<Stand>]',
    summary: 'stellt die neueste Sicherung (oder einen Stand) wieder her; nur ins Leere, der Dienst muss aus sein',
    migrates: true,
    async run({ args: [given = '', name] }, { features, terminal }) {
      const folder = typedPath(given);
      await refuseOtherVersion(folder, Date.now(), name);
      const { config, backup, integrity } = await features();
      using _lock = lockDataFolder(config.dataDir);
      const done = await backup.restore(folder, name);
      terminal.print(`Stand ${done.snapshot} mit ${count(done.photos, 'Foto', 'Fotos')} wiederhergestellt. Alle melden sich neu an.`);
      terminal.print(
        `Was seit dem ${instantText(done.takenAt)} gelöscht oder widerrufen wurde, ist wieder da: Die Anleitung zum Betrieb sagt unter „Wiederherstellen“, was Sie noch einmal löschen und woher Sie es wissen.`,
      );
      for (const key of done.damaged) terminal.print(`Datei ${key}: in der Sicherung beschädigt, nicht wiederhergestellt`);
      return printChecked(terminal, await integrity.check());
    },
  },
];

/** Describes a folder after a failed backup, which removes old snapshots all the same. */
function leftText(folder: string, last: LastBackup | null): string {
  if (!last) return `In ${folder} ist keine vollständige Sicherung.`;
  const at = instantText(last.at) + (last.at > Date.now() + CLOCK_SKEW_MS ? ' (ein Datum in der Zukunft)' : '');
  if (last.missing) return `Die neueste Sicherung in ${folder} ist vom ${at}; ${count(last.missing, 'Datei fehlt', 'Dateien fehlen')} ihr.`;
  return `Die neueste vollständige Sicherung in ${folder} ist vom ${at}.`;
}

/** Replaces the login's text for wrong passwords, which is English by specification. */
function explain(error: unknown): never {
  if (!(error instanceof Refusal && error.code === 'invalid_credentials')) throw error;
  throw new Failure('Der Code des Events oder das Passwort des Gastgebers stimmt nicht.');
}

/** Prints the findings; returns the exit code. */
function printChecked(terminal: Terminal, { photos, blobs, findings, unnoted }: CheckedAll): number {
  const lines = new Set(findings.map(({ kind, subject, problem }) => `${KINDS[kind]} ${subject}: ${problem}`));
  for (const line of lines) terminal.print(line);
  const seen = `${count(photos, 'Foto', 'Fotos')} mit ${count(blobs, 'Datei', 'Dateien')} geprüft`;
  terminal.print(`${seen}: ${lines.size === 0 ? 'alles in Ordnung' : count(lines.size, 'Befund', 'Befunde')}.`);
  if (unnoted !== undefined) terminal.print(`Die Prüfung ist vollständig; ${UNNOTED} ${explainTrouble(unnoted).text}.`);
  return lines.size === 0 && unnoted === undefined ? 0 : 1;
}

/** Tells whether a folder, which need not exist, is one of others or below it, by its real path. */
function isWithin(folder: string, others: string[]): boolean {
  const real = realPath(folder) + sep;
  return others.some((other) => real.startsWith(realPath(other) + sep));
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}
