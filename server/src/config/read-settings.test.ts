import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const mistakesOf = (env: Record<string, string>): string[] => {
  const result = readConfig(env);
  return 'mistakes' in result ? result.mistakes : [];
};

describe('the settings’ file and names', () => {
  it('names each line of its file that is none, and nothing of it that may be secret', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'feierbild-config-')), 'feierbild.env');
    const lines = ['# Einstellungen', '', 'PORT=8081', 'PUBLIC_URL: https://fotos.example', 'NOTIZ="zwei', 'Zeilen"', 'export DEMO=off'];
    writeFileSync(file, [...lines, 'ADMIN_PASSWORD geheim', 'geheim'].join('\r\n'));
    expect(readConfig({}, file)).toEqual({
      mistakes: [
        `${file}: Zeile 4 (PUBLIC_URL) hat nicht die Form NAME=Wert.`,
        `${file}: Zeile 8 (ADMIN_PASSWORD) hat nicht die Form NAME=Wert.`,
        `${file}: Zeile 9 hat nicht die Form NAME=Wert.`,
      ],
    });
  });

  it('names each setting whose end Node takes for a comment, and nothing of its value', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'feierbild-config-')), 'feierbild.env');
    const cut = [
      'ADMIN_PASSWORD=Sommerfest2027#Zelt',
      'export AWS_SECRET_ACCESS_KEY = ab c#d #e',
      'SMTP_URL=#geheim',
      'DATABASE_URL_FILE=/etc/#1',
    ];
    const whole = [
      'PORT=8081 # nicht 8080#',
      'NODE_NAME="a#b"#c',
      "MAIL_FROM='x#y'",
      'DEMO= # aus#',
      '#HOST=a#b',
      'ANDERES=a#b',
      'NOTIZ="a',
      'PORT=1#2"',
      'HOST="a#b',
    ];
    writeFileSync(file, [...cut, ...whole].join('\n'));
    const remedy =
      'Was hinter # steht, gilt nicht. Gehört es zum Wert, setzen Sie ihn in Anführungszeichen; sonst setzen Sie ein Leerzeichen davor.';
    expect(readConfig({}, file)).toMatchObject({
      warnings: [
        `${file}: Zeile 1 (ADMIN_PASSWORD): ${remedy}`,
        `${file}: Zeile 2 (AWS_SECRET_ACCESS_KEY): ${remedy}`,
        `${file}: Zeile 3 (SMTP_URL): ${remedy}`,
        `${file}: Zeile 4 (DATABASE_URL_FILE): ${remedy}`,
      ],
    });
    writeFileSync(file, whole.join('\n'));
    expect(readConfig({}, file)).toMatchObject({ warnings: [] });
    // Node itself says of the others that nothing is lost.
    expect(parseEnv(whole.join('\n'))).toMatchObject({ PORT: '8081', NODE_NAME: 'a#b', MAIL_FROM: 'x#y', DEMO: '', HOST: '"a#b' });
  });

  it('takes no file whose first setting hides behind a mark, and reads a secret without its mark', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'feierbild-config-')), 'feierbild.env');
    const read = (text: string) => {
      writeFileSync(file, text);
      return readConfig({}, file);
    };
    expect(read('\uFEFFPUBLIC_URL=https://fotos.example\r\n')).toEqual({
      mistakes: [
        `${file}: Zeile 1 gilt nicht, weil die Datei mit einer unsichtbaren Marke (BOM) beginnt. Speichern Sie sie als UTF-8 ohne BOM.`,
      ],
    });
    for (const first of ['# Einstellungen', '']) expect(read(`\uFEFF${first}\nPORT=8081\n`)).toMatchObject({ warnings: [] });
    writeFileSync(file, '\uFEFFein langes Passwort\r\n');
    expect(readConfig({ ADMIN_PASSWORD_FILE: file })).toMatchObject({ config: { adminPassword: 'ein langes Passwort' } });
  });

  it('takes a secret from the file that NAME_FILE names, and says where it cannot', () => {
    const folder = mkdtempSync(join(tmpdir(), 'feierbild-config-'));
    const file = join(folder, 'password');
    writeFileSync(file, ' ein langes Passwort \n');
    expect(readConfig({ ADMIN_PASSWORD_FILE: file })).toMatchObject({ config: { adminPassword: ' ein langes Passwort ' } });
    writeFileSync(file, 'zu kurz\n');
    expect(mistakesOf({ ADMIN_PASSWORD_FILE: file })).toEqual(['ADMIN_PASSWORD: braucht mindestens 12 Zeichen.']);
    const missing = join(folder, 'fehlt');
    expect(mistakesOf({ DATABASE_URL_FILE: missing })).toEqual([`DATABASE_URL_FILE: ${missing} ist nicht lesbar (ENOENT).`]);
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY_FILE: file };
    expect(readConfig({ STORAGE_URL: 's3://fotos', ...keys })).toMatchObject({
      config: { s3: { credentials: { accessKeyId: 'id', secretAccessKey: 'zu kurz' } } },
    });
  });

  it('warns of a name that is nearly a setting, and of no other', () => {
    const warningsOf = (env: Record<string, string>) => (readConfig(env) as { warnings: string[] }).warnings;
    expect(warningsOf({ PUBLIC_ULR: 'x', maxUploadMb: '5', FEIERBILD_DEMO: 'off' })).toEqual([
      'PUBLIC_ULR ist keine Einstellung. Ist PUBLIC_URL gemeint?',
      'maxUploadMb ist keine Einstellung. Ist MAX_UPLOAD_MB gemeint?',
      'FEIERBILD_DEMO ist keine Einstellung. Ist DEMO gemeint?',
    ]);
    expect(warningsOf({ PATH: '', HOME: '', HOSTNAME: '', TERM: '', SETTINGS_FILE: 'x', LOGNAME: '', AWS_REGION: 'x' })).toEqual([]);
  });
});
