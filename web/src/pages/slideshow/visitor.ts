import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { call, goToLogin, type Answer } from '../../api/client.ts';
import { tryAgain, VISITOR_RETRY_MS } from '../../lib/backoff.ts';

interface Answers {
  /** It may see the event's slideshow. `locked`: and nothing else. */
  onEntered(code: string, locked: boolean): void;
  /** The address contains no event code. */
  onInvalid(): void;
  /** The server does not say it; attempts go on. */
  onTrouble(error: unknown, retry: () => void): void;
}

/** Lets in the host of exactly this event and its locked slideshow, and sends everybody else to the login. */
export function letIn(raw: string, { onEntered, onInvalid, onTrouble }: Answers): void {
  const code = cleanEventCode(raw);
  let cancel = (): void => undefined;
  let asked = 0;
  const ask = (): void => {
    cancel();
    const mine = ++asked;
    call('GET /auth/check').then(
      (visitor) => mine === asked && enter(visitor),
      (error: unknown) => {
        if (mine !== asked) return;
        onTrouble(error, ask);
        cancel = tryAgain(0, ask, VISITOR_RETRY_MS);
      },
    );
  };
  const enter = ({ authenticated, role, userCode }: Answer<'GET /auth/check'>): void => {
    const host = authenticated && role === 'user';
    const locked = authenticated && role === 'projector';
    const other = isEventCode(code) && userCode !== code;
    // The login page sends the host of another event to that event.
    if (host && other) window.location.replace('/login');
    else if ((!host && !locked) || other) goToLogin();
    else if (isEventCode(raw.toUpperCase())) onEntered(code, locked);
    else onInvalid();
  };
  ask();
}
