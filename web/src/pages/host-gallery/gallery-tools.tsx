import { CircleCheck } from 'lucide-react';
import type { Ref } from 'react';
import { ONLY, SORTS, type Sort } from '../../gallery/grid/sorting.ts';
import { ToolSelect, ToolRow } from '../../gallery/grid/tool-row.tsx';
import { formatNumber } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';

interface GalleryToolsProps {
  guests: ReadonlyMap<string, number>;
  /** Number of photos with a guest's heart. */
  loved: number;
  guest: string;
  sort: Sort;
  total: number;
  /** Whether all photos are loaded, so that the number of each guest's photos is known. */
  complete: boolean;
  selecting: boolean;
  selectButton: Ref<HTMLButtonElement>;
  /** Called when pointer or focus reaches the filter, which needs all photos. */
  onReach(): void;
  onGuest(name: string): void;
  onSort(sort: Sort): void;
  onSelecting(): void;
}

/** The choice of a guest and of an order, and the button that starts a selection. */
export function GalleryTools({ guests, loved, guest, sort, total, complete, ...props }: GalleryToolsProps) {
  const { selecting, selectButton, onReach, onGuest, onSort, onSelecting } = props;
  return (
    <ToolRow onReach={onReach}>
      <ToolSelect label="Gast" value={guest} onChange={onGuest}>
        <option value="">Alle Gäste ({formatNumber(total)})</option>
        {(loved > 0 || guest === ONLY.hearts) && <option value={ONLY.hearts}>♥ Lieblinge ({formatNumber(loved)})</option>}
        {[...guests].map(([name, count]) => (
          <option key={name} value={name}>
            {complete ? `${name} (${formatNumber(count)})` : name}
          </option>
        ))}
      </ToolSelect>
      <ToolSelect label="Sortierung" value={sort} onChange={(value) => onSort(value as Sort)}>
        {Object.entries(SORTS).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </ToolSelect>
      <Button ref={selectButton} look="secondary" aria-pressed={selecting} onClick={onSelecting}>
        <CircleCheck size={20} />
        Auswählen
      </Button>
    </ToolRow>
  );
}
