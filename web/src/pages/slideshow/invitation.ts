import { encode } from 'uqr';
import { create, fill, untranslated } from './dom.ts';
import { drawn } from './icons.ts';
import styles from './slideshow.module.css';

/** White margin around a QR code, modules, which its standard requires for readers to find it. */
const QUIET_ZONE = 4;

/** Makes the invitation for guests: the QR code and the event's code. */
export function createInvitation(code: string, { inCorner = false } = {}) {
  const box = create('div');
  const element = create('div', `${styles.invitation} ${inCorner ? styles.corner : ''}`);
  element.append(box, create('span', styles.call, 'Eure Fotos auf die Leinwand'), untranslated(create('span', styles.code, code)));
  let shown = '';
  return {
    element,
    /** Sets the address of the event's page for guests, with the gallery's token if there is one. */
    update(address: string): void {
      if (shown === address) return;
      shown = address;
      fill(box, qrCode(address, 'QR-Code zum Event'));
    },
  };
}

/** Draws a QR code with dark modules on white; adjacent modules are one piece. */
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

/** Finds the runs of dark modules in a row: first column and length. */
function runsIn(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs[runs.length - 1];
    if (isDark && last && last[0] + last[1] === x) last[1] += 1;
    else if (isDark) runs.push([x, 1]);
  });
  return runs;
}
