import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { call, goToLogin, type Answer } from '../../api/client.ts';
import { tryAgain, VISITOR_RETRY_MS } from '../../lib/backoff.ts';

interface Answers {
  /** Called when the visitor may see the event's slideshow; `locked`: and nothing else. */
  onEntered(code: string, locked: boolean): void;
  /** Called when the address contains no event code. */
  onInvalid(): void;
  /** Called when the server does not say who the visitor is; the attempts continue. */
  onTrouble(error: unknown, retry: () => void): void;
}

/**
 * Lets in the host of exactly this event and its locked slideshow, and sends everybody else to the login. A browser may have the login of
 * another event or of the operator besides the session of the crew's link, which opens the slideshow, too.
 */
export function letIn(raw: string, { onEntered, onInvalid, onTrouble }: Answers): void {
  const code = cleanEventCode(raw);
  const enter = async ({ authenticated, role, userCode }: Answer<'GET /auth/check'>): Promise<void> => {
    const locked = role === 'projector';
    const known = role === 'user' || locked;
    if (!authenticated || (!known && !isEventCode(code))) return void goToLogin();
    if (!isEventCode(raw.toUpperCase())) return onInvalid();
    if (known && userCode === code) return onEntered(code, locked);
    // A refusal leads to the login, which sends the host of another event to that event.
    await call('GET /api/events/:ref/wall', { params: { ref: code } });
    onEntered(code, true);
  };
  keepAsking(() => call('GET /auth/check'), enter, onTrouble)();
}

/**
 * Returns a function that asks until an answer comes and is taken; `onTrouble` gets the reason of each failure, and this function, too. An
 * answer to an earlier call of it does not count.
 */
export function keepAsking<T>(
  question: () => Promise<T>,
  onAnswer: (answer: T) => void | Promise<void>,
  onTrouble: Answers['onTrouble'],
): () => void {
  let cancel = (): void => undefined;
  let asked = 0;
  const ask = (): void => {
    cancel();
    const mine = ++asked;
    question()
      .then((answer) => (mine === asked ? onAnswer(answer) : undefined))
      .catch((error: unknown) => {
        if (mine !== asked) return;
        onTrouble(error, ask);
        cancel = tryAgain(0, ask, VISITOR_RETRY_MS);
      });
  };
  return ask;
}
