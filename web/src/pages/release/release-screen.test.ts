import { createElement, type ComponentProps } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, it, vi } from 'vitest';
import { ReleaseScreen } from './release-screen.tsx';

const PHOTO = {
  id: '0196e1c4-0000-7000-8000-000000000001',
  filename: 'IMG_1.jpg',
  created_at: '2026-05-17T19:04:00.000Z',
  taken_at: null,
  preview_url: '/preview',
  thumbnail_url: '/thumbnail',
  device: { name: 'Anna' },
  width: 4,
  height: 3,
} as never;

beforeAll(() => {
  vi.stubGlobal('window', { innerWidth: 390, innerHeight: 844, devicePixelRatio: 2 });
  return () => vi.unstubAllGlobals();
});

function screen(props: Partial<ComponentProps<typeof ReleaseScreen>>): string {
  const nothing = (): void => undefined;
  const handlers = { onSight: nothing, onDecide: nothing, onUndo: nothing, onAll: nothing };
  const shown = { photo: null, sight: null, left: 0, isCurrent: true, sending: false, canUndo: false, ...handlers };
  return renderToStaticMarkup(createElement(ReleaseScreen, { ...shown, ...props }));
}

/** Returns each button's state: on, or off by which attribute. */
function buttons(sight: 'drawn' | 'missing' | null, canUndo: boolean): Record<string, string> {
  const html = screen({ photo: PHOTO, left: 1, sight, canUndo });
  const found = html.matchAll(/<button([^>]*)>(.*?)<\/button>/g);
  return Object.fromEntries(
    [...found].map(([, attributes = '', inner = '']) => [
      inner.replace(/<[^>]*>/g, '').trim(),
      (/ (aria-)?disabled="[^"]*"/.exec(attributes)?.[0] ?? '').trim(),
    ]),
  );
}

it('a button that is off for a moment keeps the focus of whoever decides by keyboard', () => {
  const off = 'aria-disabled="true"';
  expect(buttons(null, false)).toEqual({ Zurück: off, 'Nicht zeigen': off, Zeigen: off });
  expect(buttons('missing', true)).toEqual({ Zurück: '', 'Nicht zeigen': '', Zeigen: off });
  expect(buttons('drawn', true)).toEqual({ Zurück: '', 'Nicht zeigen': '', Zeigen: '' });
});

it('everything is decided only where the last question for waiting photos was answered', () => {
  expect(screen({})).toContain('Alles entschieden');
  expect(screen({ isCurrent: false })).not.toContain('Alles entschieden');
});
