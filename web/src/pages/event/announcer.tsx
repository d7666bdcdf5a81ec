import { t } from '../../texts/guest/guest.ts';
import { isUnsent } from './item.ts';
import { isRunning, isStuck, type QueueState } from './queue/machine.ts';
import { isDone } from './queue/selection.ts';

/** Tells screen readers about progress in tenths, what the photos wait for, and the end: not while anything is still to be sent. */
export function Announcer(state: Pick<QueueState, 'items' | 'phase' | 'trouble'>) {
  const { items, trouble } = state;
  const settled = items.filter((item) => !isUnsent(item)).length;
  const failed = items.filter(({ failure }) => failure).length;
  let text = '';
  if (trouble !== null && isStuck(state)) text = t.said.stuck[trouble];
  else if (isRunning(state)) text = t.said.progress(items.length === 0 ? 0 : Math.floor((settled / items.length) * 10) * 10);
  else if (isDone(items)) text = t.said.done;
  else if (failed > 0 && settled === items.length) text = t.said.failed(failed);
  return (
    <p className="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}
