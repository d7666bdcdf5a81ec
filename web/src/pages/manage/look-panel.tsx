import type { HostEvent, Photo } from '@feierbild/contract/entities.ts';
import { PALETTES, WELCOME_LENGTH, type Palette } from '@feierbild/contract/palettes.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ImageUp, Paintbrush, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { usePalette } from '../../lib/use-palette.ts';
import { wear } from '../../lib/wear.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FilePicker } from '../../ui/file-picker.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { TitlePicture } from '../../ui/title-picture.tsx';
import { useForm } from '../../ui/use-form.ts';
import panel from './panel.module.css';
import styles from './look-panel.module.css';

const NAMES: Record<Palette, string> = {
  beere: 'Beere',
  terrakotta: 'Terrakotta',
  rose: 'Rosé',
  salbei: 'Salbei',
  lavendel: 'Lavendel',
  nacht: 'Nachtblau',
  gold: 'Gold',
  petrol: 'Petrol',
};

interface LookPanelProps {
  event: HostEvent;
  onChanged(): Promise<unknown>;
}

/** The dashboard's section on the event's look, which opens the dialog to change it. */
export function LookPanel({ event, onChanged }: LookPanelProps) {
  const [open, setOpen] = useState(false);
  const { palette, title_picture } = event.look;
  const chosen = [palette && `Farben: ${NAMES[palette]}`, title_picture && 'mit Titelbild'].filter(Boolean).join(', ');
  return (
    <section className={panel.panel} aria-labelledby="look">
      <div>
        <h2 id="look">Aussehen</h2>
        <p className="soft">{chosen || 'Farben, Titelbild und ein Satz für Ihre Gäste.'}</p>
      </div>
      <div className={panel.buttons}>
        <Button look="secondary" onClick={() => setOpen(true)}>
          <Paintbrush size={20} /> Aussehen ändern
        </Button>
      </div>
      {open && <LookDialog event={event} onChanged={onChanged} onClose={() => setOpen(false)} />}
    </section>
  );
}

interface LookDialogProps {
  event: Pick<HostEvent, 'code' | 'title' | 'subtitle' | 'look'>;
  onChanged(): Promise<unknown>;
  onClose(): void;
}

/** A chosen title picture that was not sent yet: a `file` of this device, or a `photo` of the gallery. */
type Chosen = { src: string; photo: string } | { src: string; file: File };

/** The dialog for palette, sentence and title picture. Choices are sent when it is saved. */
export function LookDialog({ event, onChanged, onClose }: LookDialogProps) {
  const { code, title, subtitle, look } = event;
  /** The look at the dialog's opening, because another phone may change it meanwhile. */
  const [was] = useState(look);
  const { typed, change, field, onSubmit, ...form } = useForm({ palette: look.palette, welcome: look.welcome });
  // The page behind the dialog shows the chosen palette.
  usePalette(typed.palette);
  /** The chosen title picture; undefined leaves it unchanged, null removes it. */
  const [picture, setPicture] = useState<Chosen | null>();
  const [copying, setCopying] = useState(false);
  const shown = picture === undefined ? look.title_picture : (picture?.src ?? null);
  useEffect(() => {
    if (picture && 'file' in picture) return () => URL.revokeObjectURL(picture.src);
  }, [picture]);
  const params = { ref: code };

  function close(): void {
    wear(look.palette);
    onClose();
  }

  async function savePicture(): Promise<void> {
    if (picture === undefined) return;
    if (picture === null) await call('DELETE /api/events/:ref/title-picture', { params });
    else if ('file' in picture) await call('POST /api/events/:ref/title-picture', { params, file: picture.file, limitMs: UPLOAD_MS });
    else await call('PUT /api/events/:ref/title-picture', { params, body: { photo: picture.photo } });
    setPicture(undefined);
  }

  async function save(): Promise<void> {
    try {
      // A sent picture cannot be undone, so an unchanged look is sent first: if that is refused, no picture is sent.
      if (picture !== undefined) await call('PUT /api/events/:ref/look', { params, body: { ...was, was } });
      await savePicture();
      await call('PUT /api/events/:ref/look', { params, body: { ...typed, was } });
    } finally {
      await onChanged();
    }
    onClose();
  }

  return (
    <FormDialog
      wide
      title="Aussehen"
      disabled={copying}
      form={{ ...form, changed: form.changed || copying || picture !== undefined }}
      onSubmit={onSubmit(save)}
      onClose={close}
    >
      <fieldset className={`bare ${styles.palettes}`}>
        <legend>Farben</legend>
        <Swatch name="Farbe des Betriebs" palette={null} chosen={typed.palette === null} onChoose={() => change('palette', null)} />
        {PALETTES.map((one) => (
          <Swatch key={one} name={NAMES[one]} palette={one} chosen={typed.palette === one} onChoose={() => change('palette', one)} />
        ))}
      </fieldset>
      <div className={styles.preview} role="img" aria-label="So sehen es Ihre Gäste">
        {shown !== null && <TitlePicture src={shown} />}
        <strong translate="no">{title}</strong>
        {subtitle && <span translate="no">{subtitle}</span>}
        {typed.welcome && <span>{typed.welcome}</span>}
        <span className={styles.button}>Fotos auswählen</span>
      </div>
      <Field
        label="Ein Satz für Ihre Gäste"
        maxLength={WELCOME_LENGTH}
        hint="Zum Beispiel: Schön, dass ihr da seid! Leer lassen für keinen Satz."
        {...field('welcome')}
      />
      <fieldset className={`bare ${styles.title}`}>
        <legend>Titelbild</legend>
        <p className="soft">
          Das Titelbild ist öffentlich: Wer die Adresse oder den Code Ihres Events hat, sieht es auch ohne Passwort. Fragen Sie vorher, wer
          darauf zu erkennen ist. Es wird verkleinert und ohne Aufnahmeort gespeichert und mit den Fotos gelöscht; eines aus der Galerie
          auch mit seinem Foto.
        </p>
        {picture !== undefined && (
          <p role="status">{picture === null ? 'Nach dem Speichern gibt es keines mehr.' : 'Noch nicht gespeichert.'}</p>
        )}
        <Photos code={code} disabled={form.busy} onChoose={({ id, preview_url }) => setPicture({ photo: id, src: preview_url })} />
        <div className={panel.buttons}>
          <FilePicker
            accept="image/*"
            busy={form.busy}
            onCopying={setCopying}
            onPick={(file) => setPicture({ file, src: URL.createObjectURL(file) })}
          >
            <ImageUp size={20} /> Eigenes Bild wählen
          </FilePicker>
          {shown !== null && (
            <Button look="quiet" disabled={form.busy} onClick={() => setPicture(look.title_picture === null ? undefined : null)}>
              <Trash2 size={20} /> Titelbild entfernen
            </Button>
          )}
        </div>
      </fieldset>
    </FormDialog>
  );
}

/** Number of photos on a page of the choice. */
const SHOWN = 24;
/** Limit of the upload of a picture, which may be large and the line slow. */
const UPLOAD_MS = 120_000;

/** A choice of one of the event's photos, the newest first. */
function Photos({ code, disabled, onChoose }: { code: string; disabled: boolean; onChoose(photo: Photo): void }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['choice', code],
    queryFn: async ({ pageParam: page }) =>
      (await call('GET /api/events/:ref/photos', { params: { ref: code }, query: { per_page: SHOWN, sort: 'newest', page } })) as {
        photos: Photo[];
        pagination: { page: number; total_pages: number };
      },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, total_pages } }) => (page < total_pages ? page + 1 : null),
  });
  const photos = data?.pages.flatMap((page) => page.photos) ?? [];
  if (photos.length === 0) return null;
  return (
    <>
      <ul className={`bare ${styles.photos}`} aria-label="Fotos des Events">
        {photos.map((photo, n) => (
          <li key={photo.id}>
            <button type="button" disabled={disabled} onClick={() => onChoose(photo)}>
              <Thumbnail src={photo.thumbnail_url} alt={`Foto ${n + 1} als Titelbild`} loading="lazy" decoding="async" />
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button look="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Weitere Fotos zeigen
          </Button>
        </div>
      )}
    </>
  );
}

interface SwatchProps {
  name: string;
  palette: Palette | null;
  chosen: boolean;
  onChoose(): void;
}

/** A palette, shown in its own colours. */
function Swatch({ name, palette, chosen, onChoose }: SwatchProps) {
  return (
    <label className={`${styles.swatch} ${chosen ? styles.chosen : ''}`}>
      <input type="radio" name="palette" checked={chosen} onChange={onChoose} />
      {palette && (
        <span className={styles.colours} data-palette={palette} aria-hidden="true">
          <span />
          <span />
          <span />
        </span>
      )}
      {name}
    </label>
  );
}
