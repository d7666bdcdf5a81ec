import { describe, expect, it } from 'vitest';
import { tokenIn } from './address-token.ts';
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
