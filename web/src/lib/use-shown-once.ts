import { useState } from 'react';
import { useTypedGuard } from './typed-guard.ts';

/**
 * Guards a secret that is shown only once (`what`: „Das Passwort“) until `keep` says that somebody has it: reload, Back, links and
 * `mayClose` ask before it is lost. `isKept` is set if the secret needs no guard, or does not exist yet.
 */
export function useShownOnce(what: string, isKept = false): { keep(): void; mayClose(): boolean } {
  const [kept, setKept] = useState(false);
  const isSafe = kept || isKept;
  useTypedGuard(!isSafe, `${what} wird nur jetzt angezeigt. Trotzdem verlassen?`);
  return {
    keep: () => setKept(true),
    mayClose: () => isSafe || window.confirm(`${what} wird nur jetzt angezeigt. Trotzdem schließen?`),
  };
}
