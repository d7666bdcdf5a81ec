import { create, fill } from './dom.ts';
import { icon, type IconName } from './icons.ts';
import styles from './slideshow.module.css';

interface Actions {
  onStep(by: 1 | -1): void;
  onPlay(): void;
  onInvite(): void;
  /** Ends a round of favourites; null while all photos are shown. */
  onAll: (() => void) | null;
  onLeave(): void;
}

interface Shown {
  playing: boolean;
  /** Whether the QR code for guests is shown. */
  inviting: boolean;
  locked: boolean;
}

/** Returns the function that enters full screen, or null: an iPhone shows only videos in full screen. */
function fullScreenOf(root: HTMLElement & { webkitRequestFullscreen?: () => void }): (() => unknown) | null {
  // Chromium before 71, and Safari before 16.4, know the older name.
  if (document.fullscreenEnabled && typeof root.requestFullscreen === 'function')
    return () => root.requestFullscreen().catch(() => undefined);
  const { webkitFullscreenEnabled } = document as Document & { webkitFullscreenEnabled?: boolean };
  return webkitFullscreenEnabled === true ? () => root.webkitRequestFullscreen?.() : null;
}

/** Makes the buttons over the pictures. */
export function createControls({ onStep, onPlay, onInvite, onAll, onLeave }: Actions) {
  const fullScreen = fullScreenOf(document.documentElement);
  const [play, invite, leave] = [control(onPlay), control(onInvite), control(onLeave)];
  const element = create('div', styles.controls);
  element.append(
    labelled(
      control(() => onStep(-1)),
      'Vorheriges Foto',
      'back',
    ),
    play,
    labelled(
      control(() => onStep(1)),
      'Nächstes Foto',
      'next',
    ),
    invite,
  );
  if (onAll) element.append(labelled(control(onAll), 'Alle Fotos zeigen', 'heart'));
  if (fullScreen)
    element.append(
      labelled(
        control(() => void fullScreen()),
        'Vollbild',
        'full',
      ),
    );
  element.append(leave);
  return {
    element,
    update({ playing, inviting, locked }: Shown): void {
      labelled(play, playing ? 'Pause' : 'Weiter', playing ? 'pause' : 'play');
      labelled(invite, inviting ? 'QR-Code ausblenden' : 'QR-Code einblenden', 'code');
      labelled(leave, locked ? 'Sperre aufheben' : 'Slideshow beenden', locked ? 'unlock' : 'leave');
    },
  };
}

function control(onClick: () => void): HTMLButtonElement {
  const button = create('button');
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}

function labelled(button: HTMLButtonElement, label: string, name: IconName): HTMLButtonElement {
  if (button.title === label) return button;
  button.title = label;
  button.setAttribute('aria-label', label);
  fill(button, icon(name));
  return button;
}
