import { createTerminal, Failure, readArguments, UsageError, type Command } from './cli/command.ts';
import { textOf } from './cli/error-text.ts';
import { CALL, VERSION } from './lib/software.ts';
import { commands } from './cli/commands.ts';
import { ownConfig, type Config } from './config/config.ts';
import { SchemaMismatch } from './database/migrate.ts';
import { databaseExists } from './database/open.ts';
import { UNRELEASED } from './trouble.ts';
import { databaseOf } from './foundation.ts';
import { createLog } from './lib/log.ts';
import { urlsOf } from './lib/postgres-urls.ts';
import { commandName } from './database/node-names.ts';
import { openFeatures, type Features } from './wiring.ts';

/** sysexits.h EX_USAGE. */
const EXIT_USAGE = 64;
/** Longest time in which work that a signal ends gives back what it holds; a statement of PostgreSQL may run on. */
const ENDING_MS = 3000;

function help(): string {
  const rows = commands.map(({ name, parameters, summary }) => [`${name} ${parameters}`.trim(), summary] as const);
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, summary]) => `  ${left.padEnd(width)}  ${summary}`);
  return [`Aufruf: ${CALL} <Befehl>`, '', ...lines, '', 'Alle Befehle außer „restore“ dürfen laufen, während der Dienst läuft.'].join('\n');
}

function find(words: string[]): { command: Command; rest: string[] } {
  for (const command of commands) {
    const name = command.name.split(' ');
    if (name.every((word, n) => words[n] === word)) return { command, rest: words.slice(name.length) };
  }
  throw new UsageError(words.length === 0 ? 'Es fehlt der Befehl.' : `Den Befehl „${words.join(' ')}“ gibt es nicht.`);
}

/** Throws Failure if there is no database: with wrong settings a command would create an empty one and find no problem in it. */
async function refuseWithoutDatabase(config: Config): Promise<void> {
  const place = databaseOf(config);
  if (await databaseExists(place)) return;
  // User name and password are left out.
  const urls = place.url ? urlsOf(place.url).map((url) => new URL(url)) : [];
  const named = `${urls.map(({ host }) => host).join(',')}${urls[0]?.pathname}`;
  const where = place.url ? `In der Datenbank „${named}“ (DATABASE_URL)` : `Im Ordner „${config.dataDir}“ (DATA_DIR)`;
  throw new Failure(
    `${where} hat Feierbild noch keine Daten; sie entstehen beim ersten Start. Läuft der Dienst schon, braucht dieser Befehl dieselben Einstellungen wie er.`,
  );
}

/**
 * Throws Failure for a schema mismatch. Only the service, `restore` and `migrate` change the schema: another version's service may be using
 * it.
 */
function refuseSchema(error: unknown): never {
  if (!(error instanceof SchemaMismatch)) throw error;
  const { pending, newer, unreleased } = error;
  if (unreleased) throw new Failure(UNRELEASED);
  throw new Failure(
    newer.length > 0
      ? `Die Datenbank ist von einer neueren Fassung von Feierbild (${newer.join(', ')}). Dieser Befehl braucht dieselbe Fassung wie der Dienst. Es wurde nichts geändert.`
      : `Der Datenbank fehlt noch der Stand dieser Fassung (${pending.join(', ')}). Den bringt der Dienst beim Start oder „migrate“. Es wurde nichts geändert.`,
  );
}

/** Has Ctrl-C and its like end the features' work, which then gives back its lease. Ctrl-C comes twice: npm passes it on, too. */
function endOnSignal({ end }: Features): void {
  const stop = (): void => {
    end(new Failure('Abgebrochen. Der nächste Lauf macht weiter.'));
    setTimeout(() => process.exit(1), ENDING_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
}

async function main(words: string[]): Promise<number> {
  if (words[0] === '--version') {
    console.log(`Feierbild ${VERSION}, Node ${process.versions.node}`);
    return 0;
  }
  if (words.includes('--help') || words.includes('-h') || words[0] === 'help') {
    console.log(help());
    return 0;
  }
  const terminal = createTerminal(process.stdin, process.stdout);
  let opened: Promise<Features> | undefined;
  try {
    const { command, rest } = find(words);
    const { config } = ownConfig();
    const open = async (): Promise<Features> => {
      if (!command.migrates) await refuseWithoutDatabase(config);
      const named = { ...config, nodeName: commandName(config.nodeName) };
      const log = createLog(config.logLevel, process.stderr);
      const made = await openFeatures(named, log, command.migrates ? 'migrate' : 'require').catch(refuseSchema);
      if (command.leases) endOnSignal(made);
      return made;
    };
    const features = (): Promise<Features> => (opened ??= open());
    return (await command.run(readArguments(command.parameters, rest), { config, features, terminal })) ?? 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${help()}`);
      return EXIT_USAGE;
    }
    console.error(textOf(error));
    return 1;
  } finally {
    terminal.close();
    await (await opened?.catch(() => undefined))?.close();
  }
}

// The reader of a pipe (`| head`) may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));
