import { contrast, GROUNDS, isReadable, readable, tones, tooLight } from '@feierbild/contract/colours.ts';
import { formatNumber } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { colourIn } from './colour-in.ts';
import styles from './settings.module.css';

/** The default colour. */
export const SHIPPED = '#a81f4b';

interface AccentFieldProps {
  label: string;
  /** The typed text; empty for the default colour. */
  value: string;
  error?: string | undefined;
  onChange(value: string): void;
}

/** A field to choose or type a colour. It reports a colour with too little contrast at once, and offers the nearest readable one. */
export function AccentField({ label, value, error, onChange }: AccentFieldProps) {
  const known = colourIn(value);
  const refused = known !== null && !isReadable(known);
  return (
    <div className={styles.accent}>
      <input type="color" aria-label={`${label} wählen`} value={known ?? SHIPPED} onChange={({ target }) => onChange(target.value)} />
      <div>
        <Field
          label={label}
          value={value}
          placeholder={SHIPPED}
          autoComplete="off"
          spellCheck={false}
          hint={refused ? undefined : (known && `Kontrast auf hellem Grund: ${shownContrast(known)}`) || 'Leer: die mitgelieferte Farbe.'}
          error={refused ? tooLight(known) : error}
          onChange={({ target }) => onChange(target.value.trim())}
          // The text is replaced only on blur, because `#abc` may become `#abcdef`.
          onBlur={() => known !== null && known !== value && onChange(known)}
        />
        {refused && (
          <Button look="secondary" onClick={() => onChange(readable(known))}>
            {readable(known)} nehmen
          </Button>
        )}
      </div>
    </div>
  );
}

/** Formats the contrast, cut and not rounded, because 4,49 is too little. */
const shownContrast = (colour: string): string => formatNumber(Math.floor(contrast(colour, GROUNDS.paper) * 10) / 10);

/** Shows a colour on paper, on the second colour and on dark ground. It is an SVG, because pages may have no inline styles. */
export function AccentPreview({ colour }: { colour: string }) {
  const { accent, deep, soft, light } = tones(colour);
  return (
    <svg
      viewBox="0 0 320 246"
      className={styles.swatches}
      role="img"
      aria-label={`Die Farbe ${colour} auf hellem Grund, auf Tanne und auf dunklem Grund`}
    >
      <rect width="320" height="150" rx="12" fill={GROUNDS.paper} />
      <rect x="16" y="16" width="288" height="44" rx="9" fill={accent} />
      <text x="160" y="44" fill="#fff" textAnchor="middle" fontWeight="600">
        Hochladen (12)
      </text>
      <text x="16" y="92" fill={accent} fontWeight="650" fontSize="19">
        Lena &amp; Jonas
      </text>
      <text x="190" y="92" fill={deep} textDecoration="underline">
        Datenschutz
      </text>
      <rect x="16" y="108" width="64" height="28" rx="6" fill={soft} />
      <text x="48" y="127" fill={deep} textAnchor="middle" fontWeight="600">
        Beta
      </text>
      <rect y="158" width="156" height="88" rx="12" fill={GROUNDS.pine} />
      <text x="78" y="208" fill={light} textAnchor="middle" fontWeight="600">
        auf Tanne
      </text>
      <rect x="164" y="158" width="156" height="88" rx="12" fill={GROUNDS.dark} />
      <text x="242" y="208" fill={light} textAnchor="middle" fontWeight="600">
        auf Dunkel
      </text>
    </svg>
  );
}
