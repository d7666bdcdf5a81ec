import { expect, it } from 'vitest';
import { invitationWord } from './invitation-state.ts';

it('an invitation was sent once the mail server has taken it, and not while it waits or was refused', () => {
  const word = (state: 'open' | 'waiting' | 'delivered' | 'undelivered' | 'accepted', answer: string | null = null) =>
    invitationWord({ invitation_state: { state, answer } });
  expect(word('delivered', '250 2.0.0 Ok')).toBe('Einladung verschickt');
  const others = [
    word('open'),
    word('waiting'),
    word('waiting', '451 Greylisting'),
    word('undelivered', '550 unbekannt'),
    word('accepted'),
  ];
  expect(others.filter((one) => one?.includes('verschickt'))).toEqual([]);
  expect(others.slice(1, 4)).toEqual([
    'Einladung wartet auf den Mailserver',
    'Einladung wartet: 451 Greylisting',
    'Einladung nicht zugestellt: 550 unbekannt',
  ]);
  expect(invitationWord({ invitation_state: null })).toBeNull();
});
