import { create } from './dom.ts';
import type { ChosenWall } from './follow.ts';
import styles from './slideshow.module.css';

/** Black over all that a wall shows: as dark as the hall is, and for a speech nothing is seen. */
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
