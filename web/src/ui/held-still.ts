import type { ComponentProps, SyntheticEvent } from 'react';

/**
 * Blocks input to a form while it is being sent (`busy`), because the form vanishes afterwards, and the input with it. React restores the
 * fields' values.
 */
export function heldStill(busy: boolean): Pick<ComponentProps<'form'>, 'onChangeCapture' | 'onClickCapture'> {
  const hold = (event: SyntheticEvent): void => void (busy && event.stopPropagation());
  return { onChangeCapture: hold, onClickCapture: hold };
}
