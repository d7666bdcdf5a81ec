import { Controls, Invitation } from '../src/pages/slideshow/controls.tsx';
import slideshow from '../src/pages/slideshow/slideshow.module.css';
import styles from './book.module.css';
import { picture } from './samples.ts';
import { nothing, type Group } from './state.ts';

function stage({ playing = true, inviting = false, locked = false }) {
  return (
    <main className={slideshow.stage} data-active>
      <h1 className="visually-hidden">Slideshow</h1>
      <img className={styles.backdrop} src={picture(200)} alt="Foto 1 von 12" />
      {inviting && <Invitation code="K7MQ2XWA" />}
      <Controls
        onAll={null}
        playing={playing}
        inviting={inviting}
        locked={locked}
        onStep={nothing}
        onPlay={nothing}
        onInvite={nothing}
        onLeave={nothing}
      />
    </main>
  );
}

export const projector: Group = {
  id: 'slideshow',
  title: 'Slideshow',
  states: [
    { id: 'slideshow', name: 'Slideshow, läuft', alone: true, show: stage({}) },
    { id: 'slideshow-paused', name: 'Slideshow, Pause, mit QR-Code', alone: true, show: stage({ playing: false, inviting: true }) },
    { id: 'slideshow-locked', name: 'Slideshow, gesperrt', alone: true, show: stage({ locked: true }) },
  ],
};
