import type { HostEvent, Photo } from '@feierbild/contract/entities.ts';
import type { Look } from '@feierbild/contract/looks.ts';
import { PALETTES, WELCOME_LENGTH, type Palette } from '@feierbild/contract/palettes.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ImageUp, Paintbrush, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { usePalette, wear } from '../../lib/use-palette.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FilePicker } from '../../ui/file-picker.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TitlePicture } from '../../ui/title-picture.tsx';
import { useTask } from '../../ui/use-form.ts';
import panel from './guest-gallery.module.css';
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

/** How the event looks to its guests, on the dashboard, and the way to change it. */
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
      {open && <LookDialog code={event.code} look={event.look} onChanged={onChanged} onClose={() => setOpen(false)} />}
    </section>
  );
}

interface LookDialogProps {
  code: string;
  look: Look;
  onChanged(): Promise<unknown>;
  onClose(): void;
}

/** Palette and sentence are sent together, the title picture at once. */
export function LookDialog({ code, look, onChanged, onClose: close }: LookDialogProps) {
  const [palette, setPalette] = useState(look.palette);
  // The page behind the dialog shows how it will be.
  usePalette(palette);
  const onClose = (): void => {
    wear(look.palette);
    close();
  };
  const [welcome, setWelcome] = useState(look.welcome);
  const { busy, failure, run } = useTask();
  const picture = useTask();
  const ref = { ref: code };

  const setPicture = (set: () => Promise<unknown>): void =>
    void picture.run(async () => {
      await set();
      await onChanged();
    });

  async function save(): Promise<void> {
    await call('PUT /api/events/:ref/look', { params: ref, body: { palette, welcome } });
    await onChanged();
    close();
  }

  return (
    <Dialog wide title="Aussehen" onClose={onClose}>
      <form
        className={panel.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        <fieldset className={styles.palettes}>
          <legend>Farben</legend>
          <Swatch name="Wie überall" palette={null} chosen={palette === null} onChoose={() => setPalette(null)} />
          {PALETTES.map((one) => (
            <Swatch key={one} name={NAMES[one]} palette={one} chosen={palette === one} onChoose={() => setPalette(one)} />
          ))}
        </fieldset>
        <Field
          label="Ein Satz für Ihre Gäste"
          value={welcome}
          maxLength={WELCOME_LENGTH}
          hint="Zum Beispiel: Schön, dass ihr da seid! Leer: keiner."
          onChange={({ target }) => setWelcome(target.value)}
        />
        <fieldset className={styles.title}>
          <legend>Titelbild</legend>
          <p className="soft">
            Das Titelbild ist öffentlich: Wer die Adresse oder den Code Ihres Events hat, sieht es auch ohne Passwort. Fragen Sie vorher,
            wer darauf zu erkennen ist. Es wird verkleinert und ohne Aufnahmeort gespeichert und mit den Fotos gelöscht; eines aus der
            Galerie auch mit seinem Foto.
          </p>
          {look.title_picture && <TitlePicture src={look.title_picture} />}
          {picture.failure && <Notice kind="error">{picture.failure}</Notice>}
          <Photos
            code={code}
            disabled={picture.busy}
            onChoose={(photo) => setPicture(() => call('PUT /api/events/:ref/title-picture', { params: ref, body: { photo } }))}
          />
          <div className={panel.buttons}>
            <FilePicker
              accept="image/*"
              busy={picture.busy}
              onPick={(file) => setPicture(() => call('POST /api/events/:ref/title-picture', { params: ref, file, limitMs: UPLOAD_MS }))}
            >
              <ImageUp size={20} /> Eigenes Bild wählen
            </FilePicker>
            {look.title_picture && (
              <Button
                look="quiet"
                busy={picture.busy}
                onClick={() => setPicture(() => call('DELETE /api/events/:ref/title-picture', { params: ref }))}
              >
                <Trash2 size={20} /> Titelbild entfernen
              </Button>
            )}
          </div>
        </fieldset>
        {failure && <Notice kind="error">{failure}</Notice>}
        <DialogActions>
          <Button look="secondary" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" busy={busy}>
            Speichern
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Photos to choose from that are shown at a time. */
const SHOWN = 24;
/** For a large picture on a slow line. */
const UPLOAD_MS = 120_000;

/** The event's photos, the newest first, to choose one. */
function Photos({ code, disabled, onChoose }: { code: string; disabled: boolean; onChoose(id: string): void }) {
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
      <ul className={styles.photos} aria-label="Fotos des Events">
        {photos.map(({ id, thumbnail_url }, n) => (
          <li key={id}>
            <button type="button" disabled={disabled} onClick={() => onChoose(id)}>
              <img src={thumbnail_url} alt={`Foto ${n + 1} als Titelbild`} loading="lazy" decoding="async" />
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

/** A palette, worn by what shows it. */
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
