import { SLIDESHOW_MIN_PHOTOS } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { slideshow } from '../../texts.ts';
import { createCurtain } from './curtain.ts';
import { create, fill, setText, type View } from './dom.ts';
import type { ChosenWall } from './follow.ts';
import { createInvitation } from './invitation.ts';
import { headline, link } from './messages.ts';
import messages from './messages.module.css';
import styles from './waiting-for-photos.module.css';

export interface Waiting {
  code: string;
  photos: readonly Photo[];
  locked: boolean;
  wall: ChosenWall | null;
  /** Address of the guests' page. */
  guests: string;
}

/** Makes the view before the slideshow: the invitation for guests, and a lamp for each photo that is needed. */
export function waitingForPhotos({ code, locked }: Waiting): View<Waiting> {
  const count = create('p', styles.count);
  count.setAttribute('aria-live', 'polite');
  const lamps = Array.from({ length: SLIDESHOW_MIN_PHOTOS }, () => create('li'));
  const frames = create('ul', styles.frames, ...lamps);
  frames.setAttribute('aria-label', 'Fotos bis zum Anfang');
  const invitation = createInvitation(code);
  invitation.element.classList.add(styles.code ?? '');
  const curtain = createCurtain();
  const hint = 'Sobald genug Fotos in der Slideshow sind, beginnt sie von selbst.';
  const element = create(
    'main',
    styles.page,
    headline(slideshow.almost, styles.title),
    count,
    frames,
    invitation.element,
    create('p', styles.hint, locked ? hint : `${hint} In der Galerie nehmen Sie Fotos hinein oder heraus.`),
    link(
      locked ? 'Sperre aufheben' : 'Zur Galerie',
      locked ? unlockPage(code) : `/gallery/${code}`,
      `${messages.button} ${messages.secondary}`,
    ),
    curtain.element,
  );
  return {
    element,
    update({ photos, wall, guests }) {
      curtain.update(wall);
      setText(count, slideshow.add.replace('n/5', `${photos.length}/5`));
      lamps.forEach((lamp, n) => light(lamp, photos[n], n));
      invitation.update(guests);
    },
    end: () => undefined,
  };
}

function light(lamp: HTMLElement, photo: Photo | undefined, n: number): void {
  const address = photo?.thumbnail_url ?? '';
  if (lamp.dataset.shows === address) return;
  lamp.dataset.shows = address;
  lamp.className = photo ? (styles.filled ?? '') : '';
  fill(lamp, photo ? Object.assign(create('img'), { src: address, alt: `Foto ${n + 1}` }) : create('span', 'visually-hidden', 'noch frei'));
}

/** Returns the page that leads out of a locked slideshow: the host's login. */
export function unlockPage(code: string): string {
  return `/login?redirect=${encodeURIComponent(`/manage/${code}`)}`;
}
