import { SECRETS, Settings, type SettingName } from './settings.ts';

/** Explanation of a setting for operators; `instead` describes a default that is no plain value. */
interface Explained {
  instead?: string;
  meaning: string;
}

/** All settings, grouped by purpose. */
const GUIDE: Record<string, Partial<Record<SettingName, Explained>>> = {
  'Im Internet erreichbar sein': {
    PUBLIC_URL: {
      instead: 'aus der Anfrage',
      meaning: 'die Adresse in QR-Codes, Links und Vorschauen von Chats; mit `https:` werden Cookies sicher',
    },
    PORT: { meaning: 'worauf der Dienst hört' },
    HOST: { meaning: 'auf welcher Adresse dieses Rechners er hört' },
    TRUST_PROXY: { instead: 'aus', meaning: 'Adressen oder Netze der Proxys, deren weitergeleitete Angaben gelten, mit Komma getrennt' },
  },
  'Wo alles liegt': {
    DATA_DIR: {
      instead: '`./data`',
      meaning: 'Ordner für Datenbank und Fotos, wenn nichts anderes eingestellt ist; beim Paket ein Ordner außerhalb von dessen eigenem',
    },
    DATABASE_URL: {
      instead: 'keine (SQLite)',
      meaning: '`postgres://…`, auch mit mehreren Rechnern (`…@eins,zwei/name`); TLS mit `?sslmode=verify-full&sslrootcert=Datei`',
    },
    STORAGE_URL: { instead: 'keine (Ordner)', meaning: '`s3://bucket/prefix?endpoint=…&region=…`' },
    NODE_EXTRA_CA_CERTS: {
      instead: 'keine',
      meaning: 'Datei mit dem Zertifikat (PEM) einer eigenen Zertifizierungsstelle: für Fotospeicher und Mailserver',
    },
    AWS_ACCESS_KEY_ID: { instead: 'keiner', meaning: 'Zugang zum S3-Speicher' },
    AWS_SECRET_ACCESS_KEY: { instead: 'keiner', meaning: 'sein geheimer Teil' },
    AWS_SESSION_TOKEN: { instead: 'keines', meaning: 'bei zeitlich begrenzten Zugängen' },
    STAGING_ROOM_MB: {
      instead: '4 × `MAX_UPLOAD_MB`',
      meaning: 'so viel muss auf der Platte unter `DATA_DIR` frei sein, sonst meldet sich der Knoten unter `/ready` ab',
    },
  },
  'Der erste Start': {
    ADMIN_USERNAME: { meaning: 'die erste Verwaltung, nur beim ersten Start gelesen' },
    ADMIN_PASSWORD: { instead: 'erzeugt und einmal gezeigt', meaning: 'ihr Passwort, mindestens 12 Zeichen' },
    BUSINESS_FILE: {
      instead: 'keine: im Browser',
      meaning:
        'JSON mit den Angaben Ihres Betriebs, die dann dort nicht zu ändern sind (Muster: `server/src/config/business.default.json`, [jede Angabe erklärt](betreiber.md#die-firmendaten))',
    },
    DEMO: { meaning: 'die öffentliche Demo auf der Startseite; alle 2 Stunden wird sie gelöscht und neu angelegt' },
    DEMO_PHOTOS_DIR: {
      instead: 'gezeichnete Bilder',
      meaning: 'Ordner mit eigenen Bildern für die Demo (höchstens 60, in der Reihenfolge ihrer Namen)',
    },
  },
  'Mail verschicken': {
    SMTP_URL: {
      instead: 'keine: ohne Mail',
      meaning: 'Mailserver: `smtps://benutzer:passwort@mail.beispiel.de` oder `smtp://…:587` (mit STARTTLS); braucht `PUBLIC_URL`',
    },
    MAIL_FROM: { instead: 'keiner', meaning: 'Absender: `Zeltverleih Süd <feier@beispiel.de>`' },
  },
  'Was hochgeladen werden darf': {
    MAX_UPLOAD_MB: { meaning: 'größte einzelne Datei' },
    MAX_VIDEO_MB: { meaning: 'größtes Video, wo das Event Videos annimmt (höchstens 2000)' },
    UPLOADS_AT_ONCE: { meaning: 'Uploads in Arbeit; weitere warten. Jeder braucht etwa 300 KB Arbeitsspeicher' },
  },
  'Sicherheit der Bild-Decoder': {
    DECODER_ISOLATION: {
      instead: '`required` bei https in `PUBLIC_URL`, sonst `best`',
      meaning: '`required`: ohne Abschottung der Bild-Decoder (bubblewrap) startet der Dienst nicht',
    },
    DECODERS: { instead: 'einer je Kern, mindestens 2', meaning: 'Prozesse, die Fotos lesen; jeder kann über 1 GB brauchen' },
    HEIC_DECODERS: { meaning: 'Prozesse, die HEIC lesen' },
  },
  'Programme anderer': {
    WEBHOOK_PRIVATE: { meaning: '`on`: Webhooks dürfen in private Netze und ohne TLS gehen' },
  },
  'Betrieb und Überwachung': {
    LOG_LEVEL: { meaning: 'wie viel protokolliert wird: `fatal`, `error`, `warn`, `info`, `debug`, `trace` oder `silent`' },
    NODE_NAME: { instead: 'Name des Rechners', meaning: 'wie der Knoten im Log und in der Liste der Verbindungen von PostgreSQL heißt' },
    METRICS_PORT: { instead: 'aus', meaning: 'Messwerte für Prometheus unter `/metrics` auf einem eigenen Port' },
    METRICS_HOST: { meaning: 'die Adresse dazu' },
    SHUTDOWN_DELAY: { meaning: 'Sekunden nach SIGTERM, in denen alles weiter bedient wird' },
    SHUTDOWN_TIMEOUT: { meaning: 'Sekunden danach für das, was läuft' },
    DATABASE_POOL: { meaning: 'Verbindungen eines Knotens zu PostgreSQL' },
    DATABASE_TIMEOUT: { meaning: 'Sekunden, die eine Anweisung höchstens dauert' },
    DATABASE_DIRECT_URL: {
      instead: 'wie `DATABASE_URL`',
      meaning: 'PostgreSQL ohne pgbouncer dazwischen, wenn `DATABASE_URL` auf pgbouncer zeigt',
    },
    STORAGE_POOL: { meaning: 'Verbindungen zum S3-Speicher' },
    STORAGE_TIMEOUT: { meaning: 'Sekunden je Aufruf des S3-Speichers (beim Senden mehr, nach der Größe)' },
  },
};

const HEAD = `# Einstellungen

<!-- Aus server/src/config/settings-guide.ts geschrieben: UPDATE_GUIDE=1 npx vitest run server/src/config/settings-guide.test.ts -->

Alles wird über Umgebungsvariablen eingestellt. \`npm start\` und \`npm run cli\` lesen sie auch aus \`feierbild.env\` im Ordner des Projekts
(Zeilen \`NAME=Wert\`; eine andere Datei nennt \`SETTINGS_FILE\`); was schon in der Umgebung steht, geht vor. Werte mit \`#\` stehen in
Anführungszeichen, Pfade ganz und ohne \`~\`. Fehler, auch Zeilen anderer Form,
meldet der Start alle auf einmal und endet mit dem Code 78; vor Namen, die fast wie eine Einstellung heißen, warnt er.

Was Sie im Alltag ändern (Betrieb, Preise, Farben, Texte), steht nicht hier, sondern in der Verwaltung unter „Einstellungen“.
`;

/** Lists settings without a group, and settings in two groups. */
export function unexplained(): string[] {
  const explained = Object.values(GUIDE).flatMap((group) => Object.keys(group));
  const names = Object.keys(Settings.shape);
  return [...names.filter((name) => !explained.includes(name)), ...explained.filter((name, n) => explained.indexOf(name) !== n)];
}

/** Writes the operators' page of all settings, in Markdown. */
export function settingsGuide(): string {
  const values = Settings.parse({}) as Record<string, unknown>;
  const groups = Object.entries(GUIDE).map(([title, group]) => {
    const rows = Object.entries(group).map(([name, { instead, meaning }]) => {
      const held = instead ?? `\`${String(values[name])}\``;
      return `| \`${name}\` | ${held} | ${meaning} |`;
    });
    return `\n## ${title}\n\n| Variable | Vorgabe | Bedeutung |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  const secrets = SECRETS.map((name) => `\`${name}\``).join(', ');
  const foot = `\n## Geheimnisse in Dateien\n\nJedes Geheimnis (${secrets}) darf stattdessen in einer Datei stehen, die \`NAME_FILE\` nennt.\n`;
  return HEAD + groups.join('') + foot;
}
