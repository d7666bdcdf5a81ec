import { createElement, type ComponentProps } from 'react';

interface IconData {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

/** Makes Lucide's icons in place of the library's own function (vite.config.ts), whose unused options every guest's phone would load. */
export default function createIcon({ node }: IconData) {
  return function Icon({ size = 24, ...rest }: ComponentProps<'svg'> & { size?: number }) {
    const drawn = { width: size, height: size, viewBox: '0 0 24 24', fill: 'none' };
    const lines = { stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
    const parts = node.map(([tag, attributes]) => createElement(tag, attributes));
    return createElement('svg', { xmlns: 'http://www.w3.org/2000/svg', ...drawn, ...lines, 'aria-hidden': true, ...rest }, ...parts);
  };
}
