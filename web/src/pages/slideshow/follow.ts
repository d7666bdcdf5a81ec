import type { Answer } from '../../api/client.ts';
import type { Player } from './player.ts';

/** The host's choice for the walls of an event. */
export type ChosenWall = Answer<'GET /api/events/:ref/wall'>;

interface Followed {
  player: Pick<Player, 'play' | 'present' | 'setLayout' | 'step'>;
  /** Shows or hides the code for guests. */
  invite(shown: boolean): void;
}

/**
 * Applies the choices of the host's phone to a wall. A choice counts when it is made, so that the wall's own buttons keep working.
 */
export function createFollower({ player, invite }: Followed): (wall: ChosenWall) => void {
  let followed: ChosenWall | null = null;
  return (wall) => {
    const before = followed ?? { ...wall, paused: false, qr: true };
    followed = wall;
    player.setLayout(wall.layout);
    if (before.paused !== wall.paused) player.play(!wall.paused);
    if (before.qr !== wall.qr) invite(wall.qr);
    // A wall receives quick presses as one change.
    const presses = wall.steps - before.steps;
    if (presses > 0 && wall.photo !== null) player.present(wall.photo);
    else if (presses > 0) player.step(1, presses);
  };
}
