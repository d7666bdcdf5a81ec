import { describe, expect, it } from 'vitest';
import { tokenIn } from './address-token.ts';
import { pastedCode, pastedLink } from './pasted-link.ts';
import { unsubscribeTokenIn } from './unsubscribe-token.ts';

const TOKEN = 'AbCdEfGhIjKlMnOpQrS_-2';
const SAFE = 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Ffotos.example%2Feinladung%2FABCDEFGH';

describe('the token of a link', () => {
  it.each([
    ['as it was sent', `https://fotos.example/einladung/ABCDEFGH#${TOKEN}`],
    ['as Safe Links open it', `/einladung/ABCDEFGH%23${TOKEN}`],
    ['encoded twice', `/einladung/ABCDEFGH%2523${TOKEN}`],
    ['wrapped, with what the gateway adds', `${SAFE}%23${TOKEN}&data=05%7C02&reserved=0`],
    ['wrapped twice', `${SAFE}%2523${TOKEN}%26data%3D05`],
    ['as Proofpoint wraps it', `https://urldefense.com/v3/__https://fotos.example/einladung/ABCDEFGH*${TOKEN}__;Iw!!N1x!abc$`],
    ['alone, as the mail shows it', TOKEN],
    ['beside words of the browser', `/galerie/ABCDEFGH#${TOKEN}:~:text=Fotos`],
    ['behind a space', `/galerie/ABCDEFGH#%20${TOKEN}`],
    ['behind a space that nobody sees', `/galerie/ABCDEFGH#%E2%80%8B${TOKEN}`],
    ['behind both, encoded once more', `/galerie/ABCDEFGH%23%20%E2%80%8B${TOKEN}`],
    ['behind `#` as pages write it', `/galerie/ABCDEFGH&#35;${TOKEN}`],
    ['behind `#` as programs write it', `/galerie/ABCDEFGH&#x23;${TOKEN}`],
  ])('is found %s', (_how, text) => expect(tokenIn(text)).toBe(TOKEN));

  it.each(['', 'ABCDEFGH', `https://fotos.example/einladung/ABCDEFGH`, `#${TOKEN}x`, '#inhalt', `/download/${TOKEN}`])(
    'is none in %j',
    (text) => expect(tokenIn(text)).toBe(''),
  );
});

describe('the token of a page for unsubscribing', () => {
  const whole = `0199c0de-1234-7abc-8def-0123456789ab.first_photos.${TOKEN}`;
  it.each([
    ['alone', whole],
    ['with a dot of the sentence', `${whole}.`],
    ['in the address', `https://fotos.example/abmelden/${whole}`],
    ['wrapped', `https://urldefense.com/v3/__https://fotos.example/abmelden/${whole}__;!!x$`],
  ])('is found %s', (_how, text) => expect(unsubscribeTokenIn(text)).toBe(whole));
  it.each(['', 'nichts', whole.slice(0, -1)])('is none in %j', (text) => expect(unsubscribeTokenIn(text)).toBe(''));
});

describe('a link that was pasted', () => {
  const wrapped = (link: string): string => {
    const written = link.replaceAll(/[^\w./]|_/g, (sign) => `-${sign.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll('/', '_');
    return `https://urldefense.proofpoint.com/v2/url?u=${written}&d=DwMFaQ&c=euGZstcaTDllvimEN8b7jXrwqOf-v5A_CdpgnVfiiMM&r=`;
  };
  const link = `https://fotos.example/event/ABCD2345#${TOKEN}`;
  const unsubscribe = `0199c0de-1234-7abc-8def-0123456789ab.first_photos.${TOKEN}`;

  it.each([
    ['as it was sent', link],
    ['in lines', `https://fotos.example/event/\r\n  ABCD2345# ${TOKEN}`],
    ['with signs that nobody sees', `\u2060https://fotos.example/event/ABCD2345#\u200b${TOKEN}\u00ad`],
    ['as pages write it', link.replace('#', '&#35;')],
    ['as Proofpoint wrapped it before', wrapped(link)],
    ['so, and by Outlook once more', `${SAFE.split('=')[0]}=${encodeURIComponent(wrapped(link))}&data=05`],
    ['so, encoded before', wrapped(link.replace('#', '%23'))],
    ['as Proofpoint wraps it', `https://urldefense.com/v3/__${link.replace('#', '*')}__;Iw!!N1x!abc$`],
    ['as Safe Links wrap it', `${SAFE.split('=')[0]}=${encodeURIComponent(link)}&data=05`],
  ])('tells its token and its code %s', (_how, text) => {
    expect(tokenIn(pastedLink(text))).toBe(TOKEN);
    expect(pastedCode(text)).toBe('ABCD2345');
  });

  it('tells what unsubscribes', () => {
    expect(unsubscribeTokenIn(pastedLink(wrapped(`https://fotos.example/abmelden/${unsubscribe}`)))).toBe(unsubscribe);
  });

  it.each([
    ['https://fotos.example/securejoin?code=abcd2345', 'ABCD2345'],
    ['fotos.example/galerie/abcd2345/', 'ABCD2345'],
    ['abcd-2345', 'ABCD2345'],
    ['\u200bABCD 2345', 'ABCD2345'],
    ['AB', 'AB'],
    ['https://fotos.example/event/ABCD23456', 'HTTPSFOT'],
    ['', ''],
  ])('is a code where it has one, or what is typed: %j', (text, code) => expect(pastedCode(text)).toBe(code));
});
