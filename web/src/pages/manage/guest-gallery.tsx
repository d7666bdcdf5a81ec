import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import type { GalleryMode } from '@feierbild/contract/gallery.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Heart, Images, Sparkles } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { galleryQuery } from '../../gallery/gallery-query.ts';
import { useOrigin } from '../../lib/event-url.ts';
import { formatInstant, plural } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useTask } from '../../ui/use-form.ts';
import styles from './guest-gallery.module.css';

const MODES: Record<GalleryMode, { name: string; text: string }> = {
  drop: { name: 'Briefkasten', text: 'Gäste schicken Fotos, nur Sie sehen sie.' },
  reveal: { name: 'Enthüllung', text: 'Gäste schicken Fotos; ab einem Moment sehen alle alles.' },
  open: { name: 'Offen', text: 'Gäste sehen sofort, was gezeigt wird.' },
};

/** What guests see of each other's photos, on the dashboard: how it is, the link, and the way to its settings. */
export function GuestGallery({ event }: { event: HostEvent }) {
  const { code, title } = event;
  const { data: gallery } = useQuery(galleryQuery(code));
  const queries = useQueryClient();
  const [open, setOpen] = useState<'settings' | 'share' | 'reveal' | null>(null);
  if (!gallery) return null;
  const close = (): void => setOpen(null);
  const saved = (fresh: Gallery): void => {
    queries.setQueryData(galleryQuery(code).queryKey, fresh);
    close();
  };
  return (
    <section className={styles.panel} aria-labelledby="guest-gallery">
      <div>
        <h2 id="guest-gallery">Fotos für alle Gäste</h2>
        <p className="soft">{stateOf(gallery)}</p>
        {gallery.pending > 0 && <p role="status">{plural(gallery.pending, 'Ein Foto wird', '# Fotos werden')} noch geöffnet.</p>}
      </div>
      <div className={styles.buttons}>
        {gallery.mode === 'reveal' && !gallery.open && (
          <Button onClick={() => setOpen('reveal')}>
            <Sparkles size={20} /> Jetzt enthüllen
          </Button>
        )}
        {gallery.url && (
          <Button look="secondary" onClick={() => setOpen('share')}>
            <Images size={20} /> Link für Gäste
          </Button>
        )}
        {gallery.open && event.with_slideshow && (
          <ButtonLink look="secondary" href={`/slideshow/${code}?lieblinge`}>
            <Heart size={20} /> Lieblinge auf die Leinwand
          </ButtonLink>
        )}
        <Button look={gallery.mode === 'drop' ? 'primary' : 'secondary'} onClick={() => setOpen('settings')}>
          Einstellen
        </Button>
      </div>
      {open === 'settings' && <SettingsDialog code={code} gallery={gallery} onClose={close} onSaved={saved} />}
      {open === 'share' && gallery.url && (
        <LinkDialog code={code} title={title} url={gallery.url} onClose={close} onRenewed={(fresh) => saved(fresh)} />
      )}
      {open === 'reveal' && (
        <ConfirmDialog
          title="Jetzt enthüllen?"
          look="primary"
          confirm="Jetzt enthüllen"
          onClose={close}
          onConfirm={async () => saved(await call('POST /api/events/:ref/gallery/reveal', { params: { ref: code } }))}
        >
          <p>Alle Gäste mit dem Link sehen dann alle Fotos, die gezeigt werden, auch die, die noch kommen.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** How the gallery is, in a sentence. */
function stateOf({ mode, open, opens_at }: Gallery): string {
  if (mode !== 'reveal') return MODES[mode].text;
  if (open) return 'Enthüllt: Gäste sehen alles, was gezeigt wird.';
  return opens_at === null ? 'Enthüllung, sobald Sie es sagen.' : `Enthüllung am ${formatInstant(opens_at)}.`;
}

interface SettingsProps {
  code: string;
  gallery: Gallery;
  onClose(): void;
  onSaved(gallery: Gallery): void;
}

/** `2026-05-17T21:00` in this browser's time, as its field has it; empty for none. */
const localOf = (instant: string | null): string => {
  if (instant === null) return '';
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** The three modes and what belongs to each. */
export function SettingsDialog({ code, gallery, onClose, onSaved }: SettingsProps) {
  const [mode, setMode] = useState(gallery.mode);
  const [opensAt, setOpensAt] = useState(localOf(gallery.opens_at));
  const [limit, setLimit] = useState(gallery.photos_per_device === null ? '' : String(gallery.photos_per_device));
  const [originals, setOriginals] = useState(gallery.originals);
  const [own, setOwn] = useState(gallery.own_meanwhile);
  const [wall, setWall] = useState(gallery.wall_meanwhile);
  const { busy, failure, run } = useTask();
  const ends = gallery.mode !== 'drop' && mode === 'drop';

  async function save(): Promise<void> {
    const body = {
      mode,
      opens_at: mode === 'reveal' && opensAt !== '' ? new Date(opensAt).toISOString() : null,
      // Its field is there in this mode alone.
      photos_per_device: mode !== 'reveal' || limit.trim() === '' ? null : Number(limit),
      originals,
      own_meanwhile: own,
      wall_meanwhile: wall,
    };
    onSaved(await call('PUT /api/events/:ref/gallery', { params: { ref: code }, body, limitMs: 120_000 }));
  }

  return (
    <Dialog title="Fotos für alle Gäste" onClose={onClose}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        <fieldset className={styles.modes}>
          <legend>Wer sieht die Fotos?</legend>
          {Object.entries(MODES).map(([name, { name: label, text }]) => (
            <label key={name} className={`${styles.mode} ${mode === name ? styles.chosen : ''}`}>
              <input type="radio" name="mode" checked={mode === name} onChange={() => setMode(name as GalleryMode)} />
              {label}
              <small>{text}</small>
            </label>
          ))}
        </fieldset>
        {mode === 'reveal' && (
          <>
            <Field
              label="Enthüllung am"
              type="datetime-local"
              value={opensAt}
              onChange={({ target }) => setOpensAt(target.value)}
              hint="Leer: wenn Sie „Jetzt enthüllen“ wählen. Bis zu einem Zeitpunkt hält der Server die Fotos zurück; ohne einen gibt es bis dahin keinen Schlüssel."
            />
            <Switch label="Gäste sehen ihre eigenen Fotos schon vorher" checked={own} onChange={setOwn} />
            <Switch label="Die Slideshow läuft schon vorher" checked={wall} onChange={setWall} />
            <Field
              label="Fotos je Gerät"
              inputMode="numeric"
              value={limit}
              onChange={({ target }) => setLimit(target.value)}
              hint="Leer: so viele jeder möchte. Mit 24 wie früher mit der Einwegkamera."
            />
          </>
        )}
        {mode !== 'drop' && (
          <Switch
            label="Gäste dürfen Originale herunterladen"
            hint="ohne den Ort der Aufnahme"
            checked={originals}
            onChange={setOriginals}
          />
        )}
        {ends && <Notice kind="warning">Der Link für Gäste gilt dann nicht mehr, auch nicht auf gedruckten Karten.</Notice>}
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

/** The guests' link, to show and to share; and another one in its place. */
export function LinkDialog({
  code,
  title,
  url,
  onClose,
  onRenewed,
}: {
  code: string;
  title: string;
  url: string;
  onClose(): void;
  onRenewed(gallery: Gallery): void;
}) {
  const address = useOrigin() + url;
  const [renewing, setRenewing] = useState(false);
  if (renewing)
    return (
      <ConfirmDialog
        title="Neuer Link?"
        confirm="Neuen Link machen"
        onClose={() => setRenewing(false)}
        onConfirm={async () => onRenewed(await call('POST /api/events/:ref/gallery/link', { params: { ref: code }, limitMs: 120_000 }))}
      >
        <p>
          Der bisherige Link gilt dann nicht mehr, und wer damit hereinkam, braucht den neuen. Auch gedruckte Karten mit dem alten gelten
          nicht mehr.
        </p>
      </ConfirmDialog>
    );
  return (
    <Dialog title="Link für Gäste" onClose={onClose}>
      <div className={styles.share}>
        <div className={styles.qr}>
          <QRCodeSVG value={address} size={QR_SIZE_SHARE} title={`QR-Code zur Galerie von ${title}`} />
        </div>
        <p>
          Wer diesen Link hat, sieht die gezeigten Fotos. Wer schon Fotos geschickt hat, kommt mit demselben Handy auch ohne ihn herein.
        </p>
        <ShareLink url={address} title={title} />
        <Button look="quiet" wide onClick={() => setRenewing(true)}>
          Neuer Link …
        </Button>
      </div>
    </Dialog>
  );
}
