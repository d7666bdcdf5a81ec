import { expect, it } from 'vitest';
import { colourIn } from './colour-in.ts';

it.each([
  ['#a81f4b', '#a81f4b'],
  [' #A81F4B ', '#a81f4b'],
  ['abc123', '#abc123'],
  ['#abc', '#aabbcc'],
  ['ABC', '#aabbcc'],
  ['#a81f4bff', '#a81f4b'],
  ['rgb(1, 2, 3)', '#010203'],
  ['RGB(168 31 75)', '#a81f4b'],
  ['rgb(168,31,75);', '#a81f4b'],
  ['rgba(168, 31, 75, 1)', '#a81f4b'],
  ['rgb(168 31 75 / 100%)', '#a81f4b'],
  ['#a81f4b80', null],
  ['rgba(168, 31, 75, 0.5)', null],
  ['rgb(256, 0, 0)', null],
  ['rgb(1, 2)', null],
  ['#ab', null],
  ['rot', null],
  ['', null],
])('a colour is read as programs write it: %j', (text, colour) => {
  expect(colourIn(text)).toBe(colour);
});
