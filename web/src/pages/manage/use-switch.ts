import type { HostEvent } from '@feierbild/contract/entities.ts';
import { useState } from 'react';
import { call } from '../../api/client.ts';

/** A switch of the slideshow: its value, and what sets it. `onChanged` reads the event again. */
export function useSwitch(
  event: HostEvent,
  name: 'random_slideshow' | 'slideshow_names',
  onChanged: () => Promise<unknown>,
): [boolean, (value: boolean) => void] {
  /** What was last chosen, until the event has it. */
  const [wished, setWished] = useState<boolean | null>(null);

  async function set(value: boolean): Promise<void> {
    setWished(value);
    try {
      await call(`PUT /api/events/:ref/${name}`, { params: { ref: event.code }, body: { value } });
    } catch (error) {
      // Specified: errors of the slideshow are only logged. The switch goes back to what is stored.
      console.error(error);
    }
    await onChanged();
    // It may have been switched again meanwhile.
    setWished((latest) => (latest === value ? null : latest));
  }

  return [wished ?? event[`with_${name}`], (value) => void set(value)];
}
