import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import { CircleCheck } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useId, type ComponentProps, type Ref } from 'react';
import { useEventUrl } from '../../lib/event-url.ts';
import { formatNumber } from '../../lib/format.ts';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ONLY, SORTS, type Sort } from './arrange.ts';
import styles from './grid.module.css';

interface GalleryToolsProps {
  guests: ReadonlyMap<string, number>;
  /** Photos with a guest's heart. */
  loved: number;
  guest: string;
  sort: Sort;
  total: number;
  /** All photos are loaded, so that the number of each guest's photos is known. */
  complete: boolean;
  selecting: boolean;
  selectButton: Ref<HTMLButtonElement>;
  /** The pointer or the focus comes to the filter, which needs all photos. */
  onReach(): void;
  onGuest(name: string): void;
  onSort(sort: Sort): void;
  onSelecting(): void;
}

/** Whose photos, in which order, and the button that starts a selection. */
export function GalleryTools({ guests, loved, guest, sort, total, complete, ...props }: GalleryToolsProps) {
  const { selecting, selectButton, onReach, onGuest, onSort, onSelecting } = props;
  return (
    <div className={styles.tools} onPointerEnter={onReach} onFocus={onReach}>
      <Choice label="Gast" value={guest} onChange={onGuest}>
        <option value="">Alle Gäste ({formatNumber(total)})</option>
        {loved > 0 && <option value={ONLY.hearts}>♥ Lieblinge ({formatNumber(loved)})</option>}
        {[...guests].map(([name, count]) => (
          <option key={name} value={name}>
            {complete ? `${name} (${formatNumber(count)})` : name}
          </option>
        ))}
      </Choice>
      <Choice label="Sortierung" value={sort} onChange={(value) => onSort(value as Sort)}>
        {Object.entries(SORTS).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </Choice>
      <Button ref={selectButton} look="secondary" aria-pressed={selecting} onClick={onSelecting}>
        <CircleCheck size={20} />
        Auswählen
      </Button>
    </div>
  );
}

type ChoiceProps = Pick<ComponentProps<'select'>, 'children'> & { label: string; value: string; onChange(value: string): void };

export function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </div>
  );
}

/** While the first photos are being loaded. */
export function Skeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{galleryTexts.grid.loading}</span>
      {Array.from({ length: 10 }, (_, n) => (
        <div key={n} />
      ))}
    </div>
  );
}

/** Before the first photo: what guests need is there at once. `password` is the guests', where there is one. */
export function EmptyGallery({ code, password }: { code: string; password: string | null }) {
  const eventUrl = useEventUrl();
  return (
    <div className={styles.empty}>
      <div className={styles.qr}>
        <QRCodeSVG value={eventUrl(code)} size={QR_SIZE_SHARE} title="QR-Code zum Event" />
      </div>
      <div className={styles.invitation}>
        <h2>Noch keine Fotos</h2>
        <p>Teilen Sie den Code mit Ihren Gästen. Was sie hochladen, erscheint hier von selbst.</p>
        <p className={styles.code}>{code}</p>
        {password !== null && (
          <p>
            Passwort <strong>{password}</strong>
          </p>
        )}
        <ButtonLink href={`/manage/${code}`}>Event teilen</ButtonLink>
      </div>
    </div>
  );
}
