import { logoSize } from '@feierbild/contract/logo.ts';
import { isRefusal, messageOf } from '../../api/client.ts';
import { setTitle } from '../../lib/title.ts';
import type { Site } from '../../lib/use-site.ts';
import { slideshow } from '../../texts.ts';
import { shell } from '../../texts/guest/shell.ts';
import { create, setText, type View } from './dom.ts';
import { drawn, icon, type IconName } from './icons.ts';
import styles from './messages.module.css';

interface Message {
  title: string;
  sign?: IconName;
  text?: (Node | string)[];
  actions?: HTMLElement[];
}

export function headline(text: string, className = ''): HTMLHeadingElement {
  setTitle({ headline: text });
  return create('h1', className, text);
}

export function link(text: string, href: string, className = `${styles.button} ${styles.primary}`): HTMLAnchorElement {
  const element = create('a', className, text);
  element.href = href;
  return element;
}

export function button(text: string, onPress: () => void): HTMLButtonElement {
  const element = create('button', `${styles.button} ${styles.primary}`, text);
  element.type = 'button';
  element.addEventListener('click', onPress);
  return element;
}

/** Makes a page with a single message about an occurrence and the next step. */
export function message(site: Site, { title, sign = 'alert', text = [], actions = [] }: Message): HTMLElement {
  const card = create('div', styles.card, create('div', styles.sign, icon(sign, 30)), headline(title));
  if (text.length > 0) card.append(create('p', '', ...text));
  if (actions.length > 0) card.append(create('div', styles.actions, ...actions));
  return framed(site, card);
}

/** Frames content by the brand on top and the legal links at the foot. */
export function framed(site: Site, ...content: Node[]): HTMLElement {
  const skip = link(shell.skip, '#inhalt', styles.skip);
  const main = create('main', styles.main, ...content);
  main.id = 'inhalt';
  const legal = create('nav', styles.legal);
  legal.setAttribute('aria-label', shell.legal);
  for (const [text, href] of [
    [shell.privacy, '/datenschutz'],
    [shell.terms, '/agb'],
    [shell.imprint, '/impressum'],
    [shell.contact, '/kontakt'],
  ] as const)
    legal.append(link(text, href, styles.small));
  const brand = link('', '/', styles.brand);
  brand.append(...brandOf(site), create('span', styles.beta, 'Beta'), create('span', 'visually-hidden', shell.home));
  return create('div', styles.page, skip, create('header', styles.header, brand), main, create('footer', styles.footer, legal));
}

function brandOf({ business, brand }: Site): (Node | string)[] {
  if (!brand?.logo) return [mark(), 'Feierbild'];
  const { id, ...pixels } = brand.logo;
  const size = logoSize(pixels);
  const image = Object.assign(create('img'), { src: `/api/pictures/${id}`, ...size, alt: business.identity.brand });
  image.style.setProperty('--width', String(size.width));
  return [image];
}

/** Draws the brand's sign (ui/page-shell.tsx). */
function mark(): SVGElement {
  return drawn(
    'svg',
    { width: 28, height: 28, viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    drawn('path', { d: 'M9 1h13l9 9v13a8 8 0 0 1-8 8H9a8 8 0 0 1-8-8V9a8 8 0 0 1 8-8Z', fill: 'currentColor' }),
    drawn('path', {
      d: 'M13.4 13.2 12.6 6.4M17.6 15.2l5.6-5.4M19.2 19.6l6 1M14.6 23.4l1 3.2M9.4 19.4l-3.8 2.2',
      stroke: '#fff',
      'stroke-width': 2.8,
      'stroke-linecap': 'round',
    }),
  );
}

export function waiting(): HTMLElement {
  const element = create('p', styles.waiting, shell.wait);
  element.setAttribute('role', 'status');
  return element;
}

interface Failure {
  site: Site;
  error: unknown;
  onRetry(): void;
}

/** Makes the view of a failed wall: the reason, and a button to try again. */
export function failed({ site, error, onRetry }: Failure): View<Failure> {
  const notFound = isRefusal(error, 'event_not_found');
  const text = create('span');
  let retry = onRetry;
  const element = message(site, {
    title: notFound ? slideshow.notFound : slideshow.oops,
    text: notFound ? [] : [text],
    actions: [button(shell.retry, () => retry())],
  });
  return {
    element,
    update(now) {
      retry = now.onRetry;
      setText(text, messageOf(now.error));
    },
    end: () => undefined,
  };
}
