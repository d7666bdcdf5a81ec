import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MailServerForm } from './mail-schemas.ts';

const { host } = MailServerForm.shape;
const isTaken = (text: string): boolean => host.safeParse(text).success;

/** An earlier pattern for names and addresses, whose time grew with the square of the length. */
const DESCRIBED = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$|^[0-9a-f:]*:[0-9a-f:.]+$/i;

it.each([
  ['mail.example.de', true],
  ['localhost', true],
  ['192.0.2.1', true],
  ['2001:db8::1', true],
  ['::ffff:192.0.2.1', true],
  ['::1', true],
  ['1.2:3', false],
  ['mail.example.de:465', false],
  ['-mail.example.de', false],
  ['https://mail.example.de', false],
  ['::', true],
  [':', false],
])('a mail server is named by its name or its address: %s', (text, taken) => {
  expect(isTaken(text)).toBe(taken);
});

it('a mail server’s name is taken as it is described, whatever is typed', () => {
  const signs = fc.string({ unit: fc.constantFrom(...':.-0aFgz_ '), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(signs, (text) => {
      expect(isTaken(text)).toBe(DESCRIBED.test(text.trim()));
    }),
  );
});

it.each([':', 'a', 'a.', 'a-', 'g:', '.:'])('costs as little as it is long: thousands of %j', (sign) => {
  expect(isTaken(`${sign.repeat(200_000)}x!`)).toBe(false);
});
