import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Heart, Images, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { galleryQuery } from '../../gallery/gallery-query.ts';
import { useOrigin } from '../../lib/event-url.ts';
import { formatInstant, plural } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { GallerySettings, MODES } from './gallery-settings.tsx';
import { QrBox } from '../../ui/qr-box.tsx';
import styles from './panel.module.css';

/** The guests' gallery on the dashboard: its state, its link, and the way to its settings. */
export function GalleryPanel({ event }: { event: HostEvent }) {
  return (
    <Loaded isQuiet query={useQuery(galleryQuery(event.code))}>
      {(gallery) => <Panel event={event} gallery={gallery} />}
    </Loaded>
  );
}

function Panel({ event, gallery }: { event: HostEvent; gallery: Gallery }) {
  const { code, title } = event;
  const queries = useQueryClient();
  const [open, setOpen] = useState<'settings' | 'share' | 'reveal' | null>(null);
  const close = (): void => setOpen(null);
  const saved = (fresh: Gallery): void => {
    queries.setQueryData(galleryQuery(code).queryKey, fresh);
    close();
  };
  return (
    <section className={styles.panel} aria-labelledby="guest-gallery">
      <div>
        <h2 id="guest-gallery">Fotos für alle Gäste</h2>
        <p className="soft">{stateOf(gallery, event.with_release)}</p>
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
      {open === 'settings' && <GallerySettings event={event} gallery={gallery} onClose={close} onSaved={saved} />}
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

/** Describes the gallery's state in a sentence. */
function stateOf({ mode, open, opens_at }: Gallery, withRelease: boolean): string {
  if (mode === 'open' && withRelease) return 'Gäste sehen, was Sie freigeben.';
  if (mode !== 'reveal') return MODES[mode].text;
  if (open) return 'Enthüllt: Gäste sehen alles, was gezeigt wird.';
  return opens_at === null ? 'Enthüllung, sobald Sie es sagen.' : `Enthüllung am ${formatInstant(opens_at)}.`;
}

/** Shows and shares the guests' link, and replaces it by a new one. */
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
        <QrBox value={address} size={QR_SIZE_SHARE} title={`QR-Code zur Galerie von ${title}`} />
        <p>
          Wer diesen Link hat, sieht die gezeigten Fotos. Auch der Code zum Hochladen öffnet sie: auf Karten, unter „Teilen“ und auf der
          Leinwand.
        </p>
        <ShareLink url={address} title={title} />
        <Button look="quiet" wide onClick={() => setRenewing(true)}>
          Neuer Link …
        </Button>
      </div>
    </Dialog>
  );
}
