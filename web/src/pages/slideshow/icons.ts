const SVG = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string | number>;

export function drawn(name: string, attributes: Attributes, ...children: Element[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const key of Object.keys(attributes)) element.setAttribute(key, String(attributes[key]));
  element.append(...children);
  return element;
}

const box = (x: number, y: number, width: number, height: number, rx = 1): SVGElement => drawn('rect', { x, y, width, height, rx });
const line = (d: string): SVGElement => drawn('path', { d });

/** Lucide's icons, as in lucide-react, whose components need React, which the wall does not have. */
const SHAPES = {
  back: () => [line('m15 18-6-6 6-6')],
  next: () => [line('m9 18 6-6-6-6')],
  pause: () => [box(14, 3, 5, 18), box(5, 3, 5, 18)],
  play: () => [line('M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z')],
  code: () => [
    box(3, 3, 5, 5),
    box(16, 3, 5, 5),
    box(3, 16, 5, 5),
    ...['M21 16h-3a2 2 0 0 0-2 2v3', 'M21 21v.01', 'M12 7v3a2 2 0 0 1-2 2H7', 'M3 12h.01', 'M12 3h.01'].map(line),
    ...['M12 16v.01', 'M16 12h1', 'M21 12v.01', 'M12 21v-1'].map(line),
  ],
  heart: () => [
    drawn('path', {
      d: 'M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5',
      fill: 'currentColor',
    }),
  ],
  full: () => ['M8 3H5a2 2 0 0 0-2 2v3', 'M21 8V5a2 2 0 0 0-2-2h-3', 'M3 16v3a2 2 0 0 0 2 2h3', 'M16 21h3a2 2 0 0 0 2-2v-3'].map(line),
  unlock: () => [box(3, 11, 18, 11, 2), line('M7 11V7a5 5 0 0 1 9.9-1')],
  leave: () => [line('M18 6 6 18'), line('m6 6 12 12')],
  alert: () => [drawn('circle', { cx: 12, cy: 12, r: 10 }), line('M12 8v4'), line('M12 16h.01')],
  key: () => [
    line(
      'M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z',
    ),
    drawn('circle', { cx: 16.5, cy: 7.5, r: 0.5, fill: 'currentColor' }),
  ],
  unlinked: () => [line('M9 17H7A5 5 0 0 1 7 7'), line('M15 7h2a5 5 0 0 1 4 8'), line('M8 12h4'), line('M2 2l20 20')],
};
export type IconName = keyof typeof SHAPES;

export function icon(name: IconName, size = 24): SVGElement {
  const pen = { fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  return drawn('svg', { width: size, height: size, viewBox: '0 0 24 24', ...pen, 'aria-hidden': 'true' }, ...SHAPES[name]());
}
