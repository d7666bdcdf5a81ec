import { describe, expect, it } from 'vitest';
import { createFollower, type ChosenWall } from './follow.ts';

const WALL: ChosenWall = {
  large: false,
  paused: false,
  curtain: false,
  layout: 'pairs',
  qr: true,
  brightness: 100,
  favourites: false,
  photo: null,
  steps: 3,
  version: 7,
  guests: '/event/K7MQ2XWA',
};

describe('a wall that follows the host’s phone', () => {
  function following(first: Partial<ChosenWall> = {}) {
    const done: string[] = [];
    const follow = createFollower({
      player: {
        setLayout: (layout) => void done.push(`layout ${layout}`),
        play: (on) => void done.push(`play ${on}`),
        present: (id) => void done.push(`present ${id}`),
        step: (by, times) => void done.push(`step ${by * (times ?? 1)}`),
      },
      invite: (on) => void done.push(`invite ${on}`),
    });
    follow({ ...WALL, ...first });
    const begun = done.splice(0);
    return {
      begun,
      /** Returns the actions after a change, without those about the layout. */
      on(change: Partial<ChosenWall>) {
        follow({ ...WALL, ...change });
        return done.splice(0).filter((each) => !each.startsWith('layout'));
      },
    };
  }

  it('takes over at its beginning what is held and hidden, and no press of before', () => {
    expect(following().begun).toEqual(['layout pairs']);
    expect(following({ paused: true, qr: false, photo: 'a' }).begun).toEqual(['layout pairs', 'play false', 'invite false']);
  });

  it('moves by one slide for each press, also where it learns of two at once', () => {
    const wall = following();
    expect(wall.on({ steps: 4 })).toEqual(['step 1']);
    expect(wall.on({ steps: 6 })).toEqual(['step 2']);
    expect(wall.on({ steps: 6, brightness: 40 })).toEqual([]);
  });

  it('shows the photo that was chosen last, once', () => {
    const wall = following();
    expect(wall.on({ steps: 5, photo: 'b' })).toEqual(['present b']);
    expect(wall.on({ steps: 5, photo: 'b', paused: true })).toEqual(['play false']);
    expect(wall.on({ steps: 6, paused: true })).toEqual(['step 1']);
  });
});
