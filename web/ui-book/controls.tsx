import { Download } from 'lucide-react';
import { BrandMark } from '../src/ui/page-shell.tsx';
import { Button, ButtonLink } from '../src/ui/button.tsx';
import { FilePicker } from '../src/ui/file-picker.tsx';
import { Spinner, Waiting } from '../src/ui/spinner.tsx';
import { Switch } from '../src/ui/switch.tsx';
import styles from './book.module.css';
import { Stateful } from './stateful.tsx';
import { LONG_TEXT } from './samples.ts';
import type { Group } from './state.ts';

const LOOKS = { primary: 'Hauptsache', secondary: 'Nebensache', quiet: 'Leise', danger: 'Gefährlich' } as const;

function everyLook(state: { disabled?: boolean; busy?: boolean }) {
  return (
    <div className={styles.row}>
      {Object.entries(LOOKS).map(([look, name]) => (
        <Button key={look} look={look as keyof typeof LOOKS} {...state}>
          {name}
        </Button>
      ))}
    </div>
  );
}

function toggle(label: string, checked: boolean, rest: { hint?: string; disabled?: boolean } = {}) {
  return (
    <div className={styles.narrow}>
      <Stateful initial={checked}>{(value, set) => <Switch label={label} checked={value} onChange={set} {...rest} />}</Stateful>
    </div>
  );
}

export const controls: Group = {
  id: 'schalter',
  title: 'Knöpfe und Schalter',
  states: [
    { id: 'button', name: 'Knopf', show: everyLook({}) },
    { id: 'button-disabled', name: 'Knopf, aus', show: everyLook({ disabled: true }) },
    { id: 'button-busy', name: 'Knopf, beschäftigt', show: everyLook({ busy: true }) },
    {
      id: 'button-icon',
      name: 'Knopf mit Zeichen',
      show: (
        <Button>
          <Download size={20} aria-hidden="true" /> Herunterladen
        </Button>
      ),
    },
    {
      id: 'file-picker',
      name: 'Knopf für eine Datei',
      show: (
        <FilePicker accept="image/*" onPick={() => undefined}>
          Logo wählen
        </FilePicker>
      ),
    },
    {
      id: 'button-wide',
      name: 'Knopf, breit, mit langem Text',
      show: (
        <div className={styles.narrow}>
          <Button wide>{LONG_TEXT}</Button>
        </div>
      ),
    },
    {
      id: 'button-link',
      name: 'Link als Knopf',
      show: (
        <div className={styles.row}>
          {Object.entries(LOOKS).map(([look, name]) => (
            <ButtonLink key={look} href="/" look={look as keyof typeof LOOKS}>
              {name}
            </ButtonLink>
          ))}
        </div>
      ),
    },
    { id: 'switch-off', name: 'Schalter, aus', show: toggle('Zufällige Reihenfolge', false) },
    { id: 'switch-on', name: 'Schalter, an', show: toggle('Zufällige Reihenfolge', true) },
    {
      id: 'switch-disabled-off',
      name: 'Schalter, gesperrt und aus',
      show: toggle('NSFW-Filter', false, { disabled: true, hint: 'In der Beta ohne Wirkung' }),
    },
    { id: 'switch-disabled-on', name: 'Schalter, gesperrt und an', show: toggle('Zufällige Reihenfolge', true, { disabled: true }) },
    { id: 'switch-long', name: 'Schalter mit langem Text', show: toggle(LONG_TEXT, true, { hint: LONG_TEXT }) },
    { id: 'spinner', name: 'Warten, klein', show: <Spinner /> },
    { id: 'waiting', name: 'Warten, ganze Seite', show: <Waiting /> },
    {
      id: 'brand-mark',
      name: 'Zeichen, in drei Größen',
      show: (
        <div className={styles.row} style={{ color: 'var(--accent)' }}>
          <BrandMark size={16} />
          <BrandMark />
          <BrandMark size={64} />
        </div>
      ),
    },
  ],
};
