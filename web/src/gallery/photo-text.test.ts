import { ANONYMOUS } from '@feierbild/contract/constants.ts';
import { expect, it } from 'vitest';
import { photoTexts } from '../texts/guest/photo.ts';
import { guestName } from './photo-text.ts';

it('keeps names that are written from right to left apart from the numbers beside them', () => {
  const said = (name: string) => guestName({ device: { name } });
  expect(['عمر', 'נועה', 'Ayşe', '', ANONYMOUS].map(said)).toEqual([
    '\u2068عمر\u2069',
    '\u2068נועה\u2069',
    'Ayşe',
    '',
    photoTexts.anonymous,
  ]);
});
