import { encode } from 'uqr';
import { create, fill, untranslated } from './dom.ts';
import { drawn } from './icons.ts';
import styles from './slideshow.module.css';

/** Around a code its standard asks for so many modules of white, without which readers do not find it: here the box’s. */
const QUIET_ZONE = 4;

/** How guests get to the event. */
export function createInvitation(code: string, { inCorner = false } = {}) {
  const box = create('div');
  const element = create('div', `${styles.invitation} ${inCorner ? styles.corner : ''}`);
  element.append(box, create('span', styles.call, 'Eure Fotos auf die Leinwand'), untranslated(create('span', styles.code, code)));
  let shown = '';
  return {
    element,
    /** The event's page for guests, with the gallery's token where there is one. */
    update(address: string): void {
      if (shown === address) return;
      shown = address;
      fill(box, qrCode(address, 'QR-Code zum Event'));
    },
  };
}

/** Dark modules on white, those beside one another in one piece. */
function qrCode(text: string, title: string): SVGElement {
  const { data, size } = encode(text, { border: 0, boostEcc: true });
  const dark = data.flatMap((row, y) => runsIn(row).map(([x, length]) => `M${x} ${y}h${length}v1H${x}z`));
  const name = drawn('title', {});
  name.textContent = title;
  const whole = size + 2 * QUIET_ZONE;
  const code = drawn(
    'svg',
    { class: styles.qr ?? '', viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${whole} ${whole}`, role: 'img' },
    name,
    drawn('path', { d: `M0 0h${size}v${size}H0z`, fill: '#fff', 'shape-rendering': 'crispEdges' }),
    drawn('path', { d: dark.join(''), fill: '#000', 'shape-rendering': 'crispEdges' }),
  );
  code.style.setProperty('--whole', String(whole / size));
  return code;
}

/** Runs of dark modules in a row: first column and length. */
function runsIn(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs[runs.length - 1];
    if (isDark && last && last[0] + last[1] === x) last[1] += 1;
    else if (isDark) runs.push([x, 1]);
  });
  return runs;
}
