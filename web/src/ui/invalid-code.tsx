import { dashboard } from '../texts.ts';
import { ButtonLink } from './button.tsx';
import { MessagePage } from './message-page.tsx';

/** A host's page whose address holds no event code; leads to the host's own event. */
export function InvalidCode() {
  return (
    <MessagePage title={dashboard.invalidCode} actions={<ButtonLink href="/manage">Zu Ihrem Event</ButtonLink>}>
      <p>Der Code in der Adresse ist unvollständig oder falsch geschrieben.</p>
    </MessagePage>
  );
}
