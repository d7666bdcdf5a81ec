import type { ComponentProps, SyntheticEvent } from 'react';

/**
 * For a form that is gone once it is sent: until then (`busy`) nothing is typed into it that would go with it. React puts back what a
 * field held.
 */
export function heldStill(busy: boolean): Pick<ComponentProps<'form'>, 'onChangeCapture' | 'onClickCapture'> {
  const hold = (event: SyntheticEvent): void => void (busy && event.stopPropagation());
  return { onChangeCapture: hold, onClickCapture: hold };
}
