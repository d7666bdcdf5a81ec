import { create } from './dom.ts';
import type { ChosenWall } from './follow.ts';
import styles from './slideshow.module.css';

/** Makes the black layer over the wall, which adapts its brightness to the hall, and covers it during a speech. */
export function createCurtain() {
  const element = create('div', styles.curtain);
  return {
    element,
    update(wall: Pick<ChosenWall, 'curtain' | 'brightness'> | null): void {
      const { curtain = false, brightness = 100 } = wall ?? {};
      element.style.opacity = String(curtain ? 1 : (100 - brightness) / 100);
      element.dataset.down = String(curtain);
    },
  };
}
