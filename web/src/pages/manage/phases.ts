import { feastDay } from '@feierbild/contract/berlin.ts';

/** Parts of the dashboard. */
export type Part = 'newest' | 'figures' | 'zip' | 'invite' | 'cards' | 'look' | 'gallery' | 'wall' | 'switches';

/** The host invites before the event, gets photos during it, and downloads them afterwards. */
type Phase = 'before' | 'during' | 'after';

/** The dashboard's sections in their order: always all of them, the currently important ones first. */
export const ORDERS: Record<Phase, readonly Part[]> = {
  before: ['invite', 'look', 'gallery', 'cards', 'switches', 'wall', 'newest', 'figures', 'zip'],
  during: ['newest', 'figures', 'invite', 'wall', 'cards', 'gallery', 'switches', 'zip', 'look'],
  after: ['zip', 'newest', 'figures', 'gallery', 'cards', 'invite', 'switches', 'look', 'wall'],
};

/** Returns an event's phase at an instant (ms since 1970). A night belongs to the day before it. */
export function phaseOf({ start_date, end_date }: { start_date: string; end_date: string }, now: number): Phase {
  const today = feastDay(now);
  if (today < start_date) return 'before';
  return today <= end_date ? 'during' : 'after';
}
