import { useEffect, useRef } from 'react';
import { createControls } from '../src/pages/slideshow/controls.ts';
import { createInvitation } from '../src/pages/slideshow/invitation.ts';
import slideshow from '../src/pages/slideshow/slideshow.module.css';
import styles from './book.module.css';
import { picture } from './samples.ts';
import { nothing, type Group } from './state.ts';

interface Shown {
  playing?: boolean;
  inviting?: boolean;
  locked?: boolean;
}

/** Shows the wall's own parts, which are plain DOM. */
function Stage({ playing = true, inviting = false, locked = false }: Shown) {
  const room = useRef<HTMLElement>(null);
  useEffect(() => {
    const controls = createControls({ onAll: null, onStep: nothing, onPlay: nothing, onInvite: nothing, onLeave: nothing });
    controls.update({ playing, inviting, locked });
    const invitation = createInvitation('K7MQ2XWA', { inCorner: true });
    invitation.update(`${window.location.origin}/event/K7MQ2XWA`);
    const parts = [...(inviting ? [invitation.element] : []), controls.element];
    room.current?.append(...parts);
    return () => parts.forEach((part) => part.remove());
  }, [playing, inviting, locked]);
  return (
    <main ref={room} className={slideshow.stage} data-active>
      <h1 className="visually-hidden">Slideshow</h1>
      <img className={styles.backdrop} src={picture(200)} alt="Foto 1 von 12" />
    </main>
  );
}

export const projector: Group = {
  id: 'slideshow',
  title: 'Slideshow',
  states: [
    { id: 'slideshow', name: 'Slideshow, läuft', alone: true, show: <Stage /> },
    { id: 'slideshow-paused', name: 'Slideshow, Pause, mit QR-Code', alone: true, show: <Stage playing={false} inviting /> },
    { id: 'slideshow-locked', name: 'Slideshow, gesperrt', alone: true, show: <Stage locked /> },
  ],
};
