import type { AdminEvent, MadeInvitation } from '@feierbild/contract/entities.ts';
import { formatInstant } from '../../lib/format.ts';
import { useOrigin } from '../../lib/event-url.ts';
import { useShownOnce } from '../../lib/use-shown-once.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShareLink } from '../../ui/share-link.tsx';

/** A new invitation and its event. */
export interface Invited {
  event: Pick<AdminEvent, 'title' | 'host'>;
  invitation: MadeInvitation;
}

/** The link by which a host sets the password, shown only once. It was mailed, or has to be passed on. */
export function InvitationDialog({ invited: { event, invitation }, onClose }: { invited: Invited; onClose(): void }) {
  const origin = useOrigin();
  const link = new URL(invitation.link, origin).href;
  const { keep, mayClose } = useShownOnce('Der Link', invitation.mailed);
  const leave = (): void => {
    if (mayClose()) onClose();
  };
  return (
    <Dialog title="Einladung für den Gastgeber" onClose={leave}>
      {invitation.mailed ? (
        <Notice kind="success" permanent>
          Die Einladung geht jetzt an {event.host?.email}. Ob der Mailserver sie annimmt, steht gleich beim Event.
        </Notice>
      ) : (
        <Notice kind="info" permanent>
          {event.host === null
            ? 'Es geht keine Mail hinaus, weil zu diesem Event keine Mailadresse eingetragen ist. Geben Sie den Link selbst weiter.'
            : 'Es geht keine Mail hinaus, weil kein Mailserver eingetragen ist (Einstellungen → Mail). Geben Sie den Link selbst weiter.'}
        </Notice>
      )}
      <p>
        Über diesen Link legt der Gastgeber von „{event.title}“ das Passwort fest. Er gilt einmal und bis zum{' '}
        {formatInstant(invitation.expires_at)}; ein neuer macht ihn ungültig. Hier steht er nur dieses eine Mal.
      </p>
      <ShareLink url={link} title={`Einladung zu „${event.title}“`} onKept={keep} />
      <DialogActions>
        <Button onClick={leave}>Fertig</Button>
      </DialogActions>
    </Dialog>
  );
}
