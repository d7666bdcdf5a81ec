import type { Mutant } from './mutant.ts';

/** Mutants of guests' access and passwords. */
export const GUESTS_AND_PASSWORDS: Mutant[] = [
  {
    in: 'features/events/guests.ts',
    says: 'an event takes guests before and after its days',
    change: ['if (!isJoinable(', 'if (false && !isJoinable('],
    noticed: ['features/events/events.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'an event with a changed key takes photos',
    change: ['if (event.tampered_at !== null)', 'if (event.tampered_at === 0)'],
    noticed: ['features/uploads/intake/admission.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'wrong codes are not counted',
    change: [
      "attempt.failed();\n      throw new Refusal('event_not_found');",
      "void attempt;\n      throw new Refusal('event_not_found');",
    ],
    noticed: ['features/events/events.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'wrong event passwords are not counted',
    change: ['if (!found && !isRepeated) attempt.failed();', 'if (found && !isRepeated) attempt.failed();'],
    noticed: ['features/events/events.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'a wrong event password is as good as the right one',
    change: ["if (needed) throw new Refusal('wrong_event_password');\n      return {", 'return {'],
    noticed: ['features/events/events.test.ts'],
  },
  {
    in: 'features/events/guests.ts',
    says: 'any device learns whether a Fotobox password is right while its network is limited',
    change: ['fotobox: isBooth', 'fotobox: hasUploaded'],
    noticed: ['features/events/guests.test.ts'],
  },
  {
    in: 'features/uploads/intake/admission.ts',
    says: 'an upload is not asked for the guests’ password',
    change: ['await guests.checkPassword(event, password ?? undefined, visitor);', "'guest' as 'guest' | 'fotobox'; void password;"],
    noticed: ['features/uploads/intake/admission.test.ts'],
  },
  {
    in: 'features/uploads/intake/admission.ts',
    says: 'guests upload although the event takes the Fotobox’ photos alone',
    change: ["if (who === 'guest' && event.with_user_upload === 0)", "if (who === 'guest' && event.with_user_upload === 2)"],
    noticed: ['features/uploads/intake/admission.test.ts'],
  },
  {
    in: 'features/uploads/intake/admission.ts',
    says: 'a file that fits exactly is refused',
    change: ['least <= freeBytes', 'least < freeBytes'],
    noticed: ['features/uploads/intake/admission.test.ts'],
  },
  {
    in: 'features/events/programs.ts',
    says: 'a program sends the next invitation to an event with photos to itself',
    change: ['const alone = own && !hasPhotos &&', 'const alone = own &&'],
    noticed: ['features/tokens/tokens.test.ts'],
  },
  {
    in: 'features/events/programs.ts',
    says: 'a program changes the host and the passwords of events that others made',
    change: ["const own = 'assistantId' in by || (await made(by, event));", 'const own = true;'],
    noticed: ['features/tokens/tokens.test.ts'],
  },
  {
    in: 'features/events/events.ts',
    says: 'a program is told who the hosts and customers of other events are',
    change: ["return 'tokenId' in by ? asSent(form, view) : view;", 'return view;'],
    noticed: ['features/tokens/tokens.test.ts'],
  },
  {
    in: 'features/uploads/intake/admission.ts',
    says: 'guests go on with their uploads after the host has switched those off',
    change: ['refuseSwitchedOff(event, fotobox);', 'void refuseSwitchedOff;'],
    noticed: ['features/uploads/intake/admission.test.ts'],
  },
  {
    in: 'features/tokens/tokens.ts',
    says: 'a program does what its token is not for',
    change: ["if (!scopes.some((its) => its === scope)) throw new Refusal('token_scope');", 'void scope;'],
    noticed: ['features/tokens/tokens.test.ts'],
  },
];
