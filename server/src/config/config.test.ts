import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Business } from '@feierbild/contract/calls/site.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { canMount, mountSmallDisk } from '../testing/system.ts';
import { readConfig } from './config.ts';

const mistakesOf = (env: Record<string, string>): string[] => {
  const result = readConfig(env);
  return 'mistakes' in result ? result.mistakes : [];
};

describe('configuration', () => {
  it('needs nothing to be set', () => {
    const result = readConfig({});
    expect(result).toMatchObject({
      config: {
        port: 8080,
        host: '0.0.0.0',
        publicUrl: null,
        databaseUrl: null,
        s3: null,
        demo: true,
        demoByDefault: true,
        trustProxy: false,
        maxUploadBytes: 50_000_000,
        metrics: null,
      },
    });
  });

  it('offers metrics on a port of their own, to this machine alone by default', () => {
    expect(readConfig({ METRICS_PORT: '9100' })).toMatchObject({ config: { metrics: { port: 9100, host: '127.0.0.1' } } });
    expect(readConfig({ METRICS_PORT: '9100', METRICS_HOST: '::1' })).toMatchObject({ config: { metrics: { host: '::1' } } });
    expect(mistakesOf({ METRICS_PORT: '8080' })).toEqual(['METRICS_PORT: muss ein anderer Port sein als PORT.']);
  });

  it('takes a mail server that is spoken to in cipher, or is this machine, and says nothing of its password', () => {
    const whole = { PUBLIC_URL: 'https://fotos.example', MAIL_FROM: 'Zelt Süd <feier@zelt.example>' };
    const server = (SMTP_URL: string) => {
      const result = readConfig({ ...whole, SMTP_URL });
      return 'config' in result ? result.config.mail?.server : result.mistakes;
    };
    const auth = { user: 'feier@zelt.example', pass: 'a:b%' };
    expect(server('smtps://feier%40zelt.example:a%3Ab%25@mail.example')).toEqual({ host: 'mail.example', port: 465, tls: 'always', auth });
    expect(server('smtp://mail.example')).toEqual({ host: 'mail.example', port: 587, tls: 'required' });
    expect(server('smtp://localhost:2525')).toEqual({ host: 'localhost', port: 2525, tls: 'none' });
    for (const wrong of [
      'http://mail.example',
      'smtp://',
      'smtp://u:geheim@mail.example/pfad',
      'smtp://u:geheim@mail.example?tls=off',
      'smtp://u:geheim%@mail.example',
    ])
      expect(server(wrong)).toEqual([expect.not.stringContaining('geheim')]);
    expect(mistakesOf({ ...whole, SMTP_URL: 'smtp://m.example:465' })).toEqual(['SMTP_URL: braucht an Port 465 smtps:// statt smtp://.']);
    expect(readConfig({ ...whole, SMTP_URL: 'smtp://m.example' })).toMatchObject({
      config: { mail: { from: { name: 'Zelt Süd', address: 'feier@zelt.example' } } },
    });
    expect(mistakesOf({ SMTP_URL: 'smtp://m.example' })).toHaveLength(2);
    expect(mistakesOf({ MAIL_FROM: 'a@b.example' })).toEqual(['SMTP_URL und MAIL_FROM: gehören zusammen, eines fehlt.']);
    for (const from of ['niemand', 'a@b.example\r\nBcc: c@d.example', 'X <a@b.example>, <c@d.example>'])
      expect(mistakesOf({ ...whole, SMTP_URL: 'smtp://m.example', MAIL_FROM: from })).toEqual([
        'MAIL_FROM: muss wie Zeltverleih Süd <feier@beispiel.de> aussehen.',
      ]);
  });

  it('keeps room for some uploads on the disk of staging, by default, and bounds the uploads in work', () => {
    expect(readConfig({ MAX_UPLOAD_MB: '10' })).toMatchObject({ config: { stagingRoomBytes: 40_000_000, uploadsAtOnce: 384 } });
    const told = readConfig({ MAX_UPLOAD_MB: '10', STAGING_ROOM_MB: '7', UPLOADS_AT_ONCE: '100' });
    expect(told).toMatchObject({ config: { stagingRoomBytes: 7_000_000, uploadsAtOnce: 100 } });
    expect(mistakesOf({ UPLOADS_AT_ONCE: '15' })).toEqual(['UPLOADS_AT_ONCE: muss eine ganze Zahl von 16 bis 10000 sein, nicht „15“.']);
  });

  it('names all mistakes at once, one line each', () => {
    const mistakes = mistakesOf({
      PORT: '99999',
      PUBLIC_URL: 'https://fotos.example/unterordner',
      ADMIN_PASSWORD: 'zu kurz',
      DATABASE_URL: 'mysql://x',
      STORAGE_URL: 'bucket',
      DEMO: 'vielleicht',
      TRUST_PROXY: 'alle',
      MAX_UPLOAD_MB: '0',
      LOG_LEVEL: 'laut',
      METRICS_PORT: 'neun',
      BUSINESS_FILE: '/gibt/es/nicht.json',
    });
    const names = [
      'PORT',
      'PUBLIC_URL',
      'ADMIN_PASSWORD',
      'DATABASE_URL',
      'STORAGE_URL',
      'DEMO',
      'TRUST_PROXY',
      'MAX_UPLOAD_MB',
      'LOG_LEVEL',
      'METRICS_PORT',
      'BUSINESS_FILE',
    ];
    for (const name of names) expect(mistakes.filter((line) => line.startsWith(`${name}:`))).toHaveLength(1);
    expect(mistakes).toHaveLength(names.length);
  });

  it.each([
    ['DATABASE_URL', 'postgres://feierbild@localhost:99999/feierbild'],
    ['STORAGE_URL', 's3://fotos?endpoint=http://:::'],
    ['DATA_DIR', import.meta.filename],
    ['DATA_DIR', join(import.meta.filename, 'darunter')],
    ['TRUST_PROXY', '10.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['ADMIN_USERNAME', 'x'.repeat(201)],
    ['ADMIN_PASSWORD', 'x'.repeat(1001)],
  ])('finds a %s with which nothing could run', (name, value) => {
    const mistakes = mistakesOf({ METRICS_PORT: '9100', [name]: value });
    expect(mistakes).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });

  it.skipIf(process.getuid?.() === 0)('finds a DATA_DIR that it may not write to', () => {
    const folder = mkdtempSync(join(tmpdir(), 'feierbild-config-'));
    chmodSync(folder, 0o500);
    expect(mistakesOf({ DATA_DIR: folder })).toEqual([`DATA_DIR: in ${folder} darf Feierbild nicht schreiben (EACCES).`]);
    expect(mistakesOf({ DATA_DIR: join(folder, 'neu') })).toEqual([
      `DATA_DIR: ${folder}/neu gibt es noch nicht, und in ${folder} darf Feierbild nicht schreiben (EACCES). Legen Sie den Ordner an: sudo install -d -o <Benutzer des Dienstes> -m 0700 ${folder}/neu`,
    ]);
  });

  it.skipIf(!canMount('a DATA_DIR on a read-only disk'))('says of a read-only DATA_DIR what makes it one', async () => {
    const { folder, unmount } = await mountSmallDisk(1);
    onTestFinished(unmount);
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    const why = 'Der Datenträger ist schreibgeschützt, oder in der systemd-Einheit fehlt ReadWritePaths=.';
    expect(mistakesOf({ DATA_DIR: folder })).toEqual([`DATA_DIR: in ${folder} darf Feierbild nicht schreiben (EROFS). ${why}`]);
    expect(mistakesOf({ DATA_DIR: join(folder, 'neu') })).toEqual([
      `DATA_DIR: ${folder}/neu gibt es noch nicht, und in ${folder} darf Feierbild nicht schreiben (EROFS). ${why} Legen Sie den Ordner an: sudo install -d -o <Benutzer des Dienstes> -m 0700 ${folder}/neu`,
    ]);
  });

  it.each(['~/feierbild', '~', '$HOME/feierbild', '${HOME}/feierbild'])(
    'takes no DATA_DIR that a shell alone would understand: %s',
    (value) => {
      const mistakes = mistakesOf({ DATA_DIR: value });
      expect(mistakes).toEqual([`DATA_DIR: nennen Sie den ganzen Pfad; „${value}“ wäre ein Ordner dieses Namens.`]);
    },
  );

  it('warns of certificates that cannot be read, and starts without them, as Node does', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'feierbild-config-')), 'ca.crt');
    const read = (path: string) => readConfig({ NODE_EXTRA_CA_CERTS: path });
    expect(read(file)).toMatchObject({
      warnings: [`NODE_EXTRA_CA_CERTS: ${file} ist nicht lesbar (ENOENT). Was darin steht, gilt nicht.`],
    });
    writeFileSync(file, 'nichts');
    expect(read(file)).toMatchObject({ warnings: [`NODE_EXTRA_CA_CERTS: in ${file} steht kein Zertifikat (PEM).`] });
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(read(file)).toMatchObject({ warnings: [expect.stringContaining('nicht lesbar')], config: { certificates: [] } });
  });

  it('takes what can', () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'feierbild-config-')), 'noch/nicht/da');
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres:///feierbild?host=/var/run/postgresql',
      TRUST_PROXY: 'fd00::/8',
    };
    expect(mistakesOf(env)).toEqual([]);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('never repeats a password in a mistake', () => {
    expect(mistakesOf({ ADMIN_PASSWORD: 'geheim' }).join()).not.toContain('geheim');
  });

  it('takes no spaces for a password', () => {
    expect(mistakesOf({ ADMIN_PASSWORD: ' '.repeat(12) })).toEqual(['ADMIN_PASSWORD: braucht mindestens 12 Zeichen.']);
  });

  it('reads an S3 address with its prefix, endpoint and region', () => {
    const result = readConfig({ STORAGE_URL: 's3://fotos/feier/bild/?endpoint=http://127.0.0.1:7480&region=eu-1' });
    expect(result).toMatchObject({
      config: { s3: { bucket: 'fotos', prefix: 'feier/bild/', endpoint: 'http://127.0.0.1:7480', region: 'eu-1' } },
    });
  });

  it('asks for both halves of the S3 credentials', () => {
    expect(mistakesOf({ STORAGE_URL: 's3://fotos', AWS_ACCESS_KEY_ID: 'x' })).toHaveLength(1);
  });

  it('reads a business file with a mark at its begin, needs neither WhatsApp nor a map, and says in German what is not readable', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'feierbild-config-')), 'business.json');
    const given = JSON.parse(readFileSync(join(import.meta.dirname, 'business.default.json'), 'utf8')) as { contact: object; map?: object };
    const { phone, email } = given.contact as { phone: object; email: string };
    const { map: _, ...needed } = { ...given, contact: { phone, email } };
    const text = JSON.stringify(needed, null, 2);
    const read = (bytes: string | Buffer) => {
      writeFileSync(file, bytes);
      return readConfig({ BUSINESS_FILE: file });
    };
    expect(read(JSON.stringify(given))).toMatchObject({ config: { defaultBusiness: true } });
    expect(read(`\uFEFF${text}`)).toMatchObject({ warnings: [], config: { defaultBusiness: false, business: { contact: { email } } } });
    const of = (bytes: string | Buffer) => (read(bytes) as { mistakes: string[] }).mistakes;
    const lacking = 'Oft fehlt davor ein Komma, ein Anführungszeichen oder eine Klammer, oder ein Komma ist zu viel.';
    expect(of(text.replace('Lichterfest Eventverleih",', 'Lichterfest Eventverleih"'))).toEqual([
      `BUSINESS_FILE: ${file} ist ab Zeile 4, Spalte 5 kein gültiges JSON. ${lacking}`,
    ]);
    expect(of('{')).toEqual([`BUSINESS_FILE: ${file} ist ab Zeile 1, Spalte 2 kein gültiges JSON. ${lacking}`]);
    expect(of('')).toEqual([`BUSINESS_FILE: ${file} endet zu früh oder ist kein JSON. ${lacking}`]);
    expect(of(Buffer.from(text.replace('Beispiel', 'Müller'), 'latin1'))).toEqual([
      `BUSINESS_FILE: ${file} ist nicht in UTF-8 gespeichert. Speichern Sie die Datei in dieser Kodierung.`,
    ]);
  });

  it('has each key of a business file explained to operators, and no other', () => {
    const keysOf = (schema: unknown, path = ''): string[] => {
      if (schema instanceof z.ZodOptional) return keysOf(schema.unwrap(), path);
      if (!(schema instanceof z.ZodObject)) return [path];
      return Object.entries(schema.shape).flatMap(([key, value]) => keysOf(value, path === '' ? key : `${path}.${key}`));
    };
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/benutzung/betreiber.md'), 'utf8');
    const rows = /### Die Firmendaten[^]*?\n###/.exec(guide)?.[0].match(/^\| `.*$/gm) ?? [];
    const explained = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, key]) => key));
    expect(explained.sort()).toEqual(keysOf(Business).sort());
  });

  it('names each missing part of a business file, and each that means nothing', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'feierbild-config-')), 'business.json');
    writeFileSync(file, JSON.stringify({ identity: { brand: 'X' } }));
    const mistakes = mistakesOf({ BUSINESS_FILE: file });
    expect(mistakes).toContain('BUSINESS_FILE: „identity.owner“: Diese Angabe fehlt.');
    expect(mistakes.some((line) => line.includes('contact'))).toBe(true);
    const business = JSON.parse(readFileSync(join(import.meta.dirname, 'business.default.json'), 'utf8')) as { identity: object };
    writeFileSync(file, JSON.stringify({ ...business, identity: { ...business.identity, brnad: 'X' }, hinweis: 1 }));
    expect(readConfig({ BUSINESS_FILE: file })).toMatchObject({
      warnings: ['BUSINESS_FILE: „identity.brnad“ ist keine bekannte Angabe.', 'BUSINESS_FILE: „hinweis“ ist keine bekannte Angabe.'],
    });
  });
});
