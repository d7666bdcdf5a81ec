import { useLayoutEffect, useState } from 'react';
import { recall, remember } from '../../lib/storage.ts';

/** Events whose consent this device remembers; the oldest goes first. */
const MOST_EVENTS = 20;

/** Whether this device's guest agreed to the privacy notes, remembered for each event. The server, which draws the page for all, does not know it. */
export function useConsent(code: string): [boolean, (given: boolean) => void] {
  const [consent, setConsent] = useState(false);
  useLayoutEffect(() => setConsent((given) => given || events().includes(code)), [code]);
  return [
    consent,
    (given) => {
      const others = events().filter((other) => other !== code);
      remember('consent', (given ? [...others, code] : others).slice(-MOST_EVENTS).join(' '));
      setConsent(given);
    },
  ];
}

function events(): string[] {
  return (recall('consent') ?? '').split(' ').filter(Boolean);
}
