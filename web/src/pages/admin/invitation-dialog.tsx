import type { AdminEvent, MadeInvitation } from '@feierbild/contract/entities.ts';
import { formatInstant } from '../../lib/format.ts';
import { useOrigin } from '../../lib/event-url.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShareLink } from '../../ui/share-link.tsx';

/** An invitation that was made, and where its host is to be invited. */
export interface Invited {
  event: Pick<AdminEvent, 'title' | 'host'>;
  invitation: MadeInvitation;
}

/** The link by which a host sets the password, shown this once: it went by mail, or is passed on. */
export function InvitationDialog({ invited: { event, invitation }, onClose }: { invited: Invited; onClose(): void }) {
  const origin = useOrigin();
  const link = new URL(invitation.link, origin).href;
  return (
    <Dialog title="Einladung für den Gastgeber" onClose={onClose}>
      {invitation.mailed ? (
        <Notice kind="success" permanent>
          Die Einladung geht jetzt an {event.host?.email}. Ob sie ankam, steht in den Einstellungen unter „Mail“.
        </Notice>
      ) : (
        <Notice kind="info" permanent>
          {event.host === null
            ? 'Es geht keine Mail hinaus, weil zu diesem Event keine Mailadresse eingetragen ist. Geben Sie den Link selbst weiter.'
            : 'Es geht keine Mail hinaus, weil der Mailversand nicht eingerichtet ist: Es fehlen SMTP_URL und MAIL_FROM. Geben Sie den Link selbst weiter.'}
        </Notice>
      )}
      <p>
        Über diesen Link legt der Gastgeber von „{event.title}“ das Passwort fest. Er gilt einmal und bis zum{' '}
        {formatInstant(invitation.expires_at)}; ein neuer macht ihn ungültig. Hier steht er nur dieses eine Mal.
      </p>
      <ShareLink url={link} title={`Einladung zu „${event.title}“`} />
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Dialog>
  );
}
