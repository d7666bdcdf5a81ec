import { ButtonLink } from '../../ui/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';

export function NotFoundPage() {
  return (
    <MessagePage title="Seite nicht gefunden" actions={<ButtonLink href="/">Zur Startseite</ButtonLink>}>
      <p>Diese Adresse gibt es hier nicht. Vielleicht hat sich ein Tippfehler eingeschlichen.</p>
    </MessagePage>
  );
}
