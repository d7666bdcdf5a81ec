import { useBrowserValue } from '../../lib/query.ts';
import { eventsIn, noteEvent, recall, remember } from '../../lib/storage.ts';

/** Keeps the guest's name in this browser. The server, which renders the page for all guests, does not know it. */
export function useName(): [string, (name: string) => void] {
  const [name, setName] = useBrowserValue(() => recall('userName') ?? '', '');
  return [
    name,
    (typed) => {
      setName(typed);
      remember('userName', typed);
    },
  ];
}

/** Keeps the guest's consent to the privacy notes in this browser, for each event. The server does not know it either. */
export function useConsent(code: string): [boolean, (given: boolean) => void] {
  const [consent, setConsent] = useBrowserValue(() => eventsIn('consent').includes(code), false);
  return [
    consent,
    (given) => {
      noteEvent('consent', code, given);
      setConsent(given);
    },
  ];
}
