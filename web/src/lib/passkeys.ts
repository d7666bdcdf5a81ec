import type { FactorAsked } from '@feierbild/contract/second-factor.ts';

/** German sentences for the browser's errors (DOMException names). */
const TEXTS: Record<string, string> = {
  NotAllowedError: 'Das wurde abgebrochen oder hat zu lange gedauert. Bitte versuchen Sie es noch einmal.',
  AbortError: 'Das wurde abgebrochen. Bitte versuchen Sie es noch einmal.',
  InvalidStateError: 'Dieser Passkey ist hier schon eingerichtet.',
};
const OTHER = 'Dieser Browser kann hier keinen Passkey benutzen.';

type Options = NonNullable<FactorAsked['passkey']>;

/** IP addresses, to which passkeys cannot be bound. */
const BY_NUMBER = /^[\d.]+$|^\[/;

/** Tells whether this browser has passkeys for this address: only for names by https, and `localhost`. */
export const passkeysWork = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !BY_NUMBER.test(window.location.hostname);

const library = () => import('@simplewebauthn/browser');
type Library = Awaited<ReturnType<typeof library>>;

/** Has the person confirm with a passkey; the browser ends it after the time in `options`. Throws an Error with a German sentence. */
export const signWithPasskey = (options: Options) =>
  told(async () => {
    const { startAuthentication } = await library();
    const optionsJSON = options as unknown as Parameters<Library['startAuthentication']>[0]['optionsJSON'];
    return { ...(await startAuthentication({ optionsJSON })), clientExtensionResults: {} };
  });

/** Has the person create a new passkey. Time limit and errors are those of signWithPasskey. */
export const makePasskey = (options: Options) =>
  told(async () => {
    const { startRegistration } = await library();
    const optionsJSON = options as unknown as Parameters<Library['startRegistration']>[0]['optionsJSON'];
    return { ...(await startRegistration({ optionsJSON })), clientExtensionResults: {} };
  });

async function told<T>(work: () => Promise<T>): Promise<T> {
  if (!passkeysWork()) throw new Error(OTHER);
  try {
    return await work();
  } catch (error) {
    throw new Error(TEXTS[error instanceof Error ? error.name : ''] ?? OTHER, { cause: error });
  }
}
