import type { Answer } from '../../api/client.ts';
import type { Player } from './player.ts';

/** The host's choice for the walls of an event. */
export type ChosenWall = Answer<'GET /api/events/:ref/wall'>;

interface Followed {
  player: Pick<Player, 'play' | 'present' | 'setLayout' | 'step'>;
  /** Shows the code for guests, or hides it. */
  invite(shown: boolean): void;
}

/**
 * Does on a wall what the host's phone chooses. What the phone says counts from the moment at which it is said: the wall's own buttons go on
 * working.
 */
export function createFollower({ player, invite }: Followed): (wall: ChosenWall) => void {
  let followed: ChosenWall | null = null;
  return (wall) => {
    const before = followed ?? { ...wall, paused: false, qr: true };
    followed = wall;
    player.setLayout(wall.layout);
    if (before.paused !== wall.paused) player.play(!wall.paused);
    if (before.qr !== wall.qr) invite(wall.qr);
    // Of presses that came close together a wall learns at once.
    const presses = wall.steps - before.steps;
    if (presses > 0 && wall.photo !== null) player.present(wall.photo);
    else if (presses > 0) player.step(1, presses);
  };
}
