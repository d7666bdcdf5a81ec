import { useBrowserValue } from '../../lib/query.ts';
import { eventsIn, noteEvent, recall, remember } from '../../lib/storage.ts';

/** The guest's name, kept in this browser. The server, which draws the page for all, does not know it. */
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

/** Whether this device's guest agreed to the privacy notes, remembered for each event. The server does not know that either. */
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
