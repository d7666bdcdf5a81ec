import type { ReactNode } from 'react';
import { Button } from '../src/ui/button.tsx';
import { Dialog, DialogActions } from '../src/ui/dialog.tsx';
import { ReportForm } from '../src/ui/report-form.tsx';
import { CredentialsDialog } from '../src/pages/admin/credentials-dialog.tsx';
import { templatesIn } from '@feierbild/contract/event-templates.ts';
import { CodeDialog } from '../src/pages/admin/events-page.tsx';
import { EventForm } from '../src/pages/admin/event-form.tsx';
import { DeleteDialog } from '../src/pages/host-gallery/delete-dialog.tsx';
import galleryStyles from '../src/gallery/viewer/viewer.module.css';
import { PhotoLink } from '../src/pages/host-gallery/host-viewer.tsx';
import { LockDialog, ShareDialog } from '../src/pages/manage/dialogs.tsx';
import { LONG_NAME, LONG_TEXT, LONG_TITLE, LONG_WORD, sampleEvent, samplePhoto } from './samples.ts';
import { forever, leave, nothing, type Group, type State } from './state.ts';

const sharing = { withPassword: false, setWithPassword: nothing, onChanged: async () => undefined, onClose: leave };

function dialog(id: string, name: string, show: ReactNode): State {
  return { id: `dialog-${id}`, name, alone: true, show };
}

function eventForm(event: ReturnType<typeof sampleEvent> | null) {
  return (
    <EventForm
      event={event}
      templates={templatesIn({})}
      isAdmin
      onClose={leave}
      onSubmit={forever}
      onReload={() => Promise.resolve(null)}
    />
  );
}

export const dialogs: Group = {
  id: 'dialoge',
  title: 'Dialoge',
  states: [
    dialog(
      'confirm',
      'Frage',
      <Dialog title="Foto löschen?" onClose={leave}>
        <p>Das lässt sich nicht rückgängig machen.</p>
        <DialogActions>
          <Button look="secondary">Behalten</Button>
          <Button look="danger">Endgültig löschen</Button>
        </DialogActions>
      </Dialog>,
    ),
    dialog(
      'long',
      'Lang, mit langem Titel',
      <Dialog title={LONG_WORD} onClose={leave}>
        {Array.from({ length: 12 }, (_, n) => (
          <p key={n}>{LONG_TEXT}</p>
        ))}
        <DialogActions>
          <Button look="secondary">{LONG_WORD}</Button>
          <Button busy>Wird gelöscht</Button>
        </DialogActions>
      </Dialog>,
    ),
    dialog(
      'delete',
      'Ein Foto löschen',
      <DeleteDialog photos={[samplePhoto(1, { device: { name: LONG_NAME } })]} onClose={leave} onDelete={forever} />,
    ),
    dialog(
      'delete-many',
      '1.234 Fotos löschen',
      <DeleteDialog photos={Array.from({ length: 1234 }, (_, n) => samplePhoto(n))} onClose={leave} onDelete={forever} />,
    ),
    dialog(
      'link',
      'Foto weitergeben',
      <Dialog title="Foto weitergeben" onClose={leave}>
        <div className={galleryStyles.linkBody}>
          <PhotoLink kind="Foto" url="https://feierbild.example/download/3fK9sQ2mVx7LpT4wZ8bN1cR6" expiresAt="2026-05-27T10:00:00.000Z" />
        </div>
      </Dialog>,
    ),
    dialog('share', 'Event teilen', <ShareDialog event={sampleEvent()} {...sharing} />),
    dialog(
      'share-password',
      'Event teilen, mit Passwort',
      <ShareDialog event={sampleEvent({ title: LONG_TITLE, user_upload_password: LONG_WORD.slice(0, 64) })} {...sharing} />,
    ),
    dialog('lock', 'Slideshow sperren', <LockDialog code="K7MQ2XWA" onClose={leave} />),
    dialog(
      'credentials',
      'Zettel für den Gastgeber',
      <CredentialsDialog credentials={{ title: 'Lena & Jonas', username: 'K7MQ2XWA', password: 'lampion-feier-12' }} onClose={leave} />,
    ),
    dialog(
      'credentials-long',
      'Zettel, mit 320 Zeichen Titel',
      <CredentialsDialog credentials={{ title: LONG_TITLE, username: 'K7MQ2XWA', password: 'lampion-feier-12' }} onClose={leave} />,
    ),
    dialog(
      'code',
      'Event löschen',
      <CodeDialog title="Event löschen?" confirm="Endgültig löschen" event={sampleEvent()} onClose={leave} onConfirm={forever}>
        <p>„{LONG_TITLE}“ verschwindet mit 1.234 Fotos und dem Zugang des Gastgebers.</p>
      </CodeDialog>,
    ),
    dialog('event-new', 'Event erstellen', eventForm(null)),
    dialog(
      'event-edit',
      'Event bearbeiten',
      eventForm(
        sampleEvent({
          title: LONG_TITLE,
          with_upload_password: true,
          user_upload_password: 'Größe',
          with_fotobox: true,
          fotobox_upload_password: 'Knipsen',
        }),
      ),
    ),
    dialog(
      'report',
      'Foto melden',
      <Dialog title="Foto melden" onClose={leave}>
        <ReportForm event="K7MQ2XWA" />
      </Dialog>,
    ),
  ],
};
