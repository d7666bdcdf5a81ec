import { KeyRound, LogOut } from 'lucide-react';
import { Button, ButtonLink } from '../src/ui/button.tsx';
import { Headline } from '../src/ui/headline.tsx';
import { LoginForm } from '../src/pages/login/login-page.tsx';
import { CookiesBlocked } from '../src/ui/cookies-blocked.tsx';
import { FailedPage, MessagePage } from '../src/ui/message-page.tsx';
import { Logo, PageShell } from '../src/ui/page-shell.tsx';
import { PublicPage } from '../src/ui/public-page.tsx';
import { TitlePicture } from '../src/ui/title-picture.tsx';
import { LONG_TEXT, LONG_TITLE, picture } from './samples.ts';
import { forever, nothing, type Group } from './state.ts';

const LOGIN = { title: 'Anmelden', lead: 'Mit den Zugangsdaten von Ihrem Zettel.', wrong: 'Benutzername oder Passwort ist falsch.' };
const KNOWN = { username: 'K7MQ2XWA', password: 'lampion-feier-12' };

export const shells: Group = {
  id: 'seiten',
  title: 'Seitenrahmen',
  states: [
    {
      id: 'logo',
      name: 'Logo des Betriebs',
      show: <Logo src={picture(200, 480, 120)} width={480} height={120} name="Lichterfest Eventverleih" />,
    },
    { id: 'title-picture', name: 'Titelbild eines Events', show: <TitlePicture src={picture(30, 1200, 800)} /> },
    {
      id: 'page-shell',
      name: 'Rahmen mit Knöpfen',
      alone: true,
      show: (
        <PageShell
          actions={
            <Button look="quiet">
              <LogOut size={20} aria-hidden="true" /> Abmelden
            </Button>
          }
        >
          <Headline>{LONG_TITLE}</Headline>
          <p>{LONG_TEXT}</p>
        </PageShell>
      ),
    },
    {
      id: 'page-shell-bare',
      name: 'Rahmen ohne Kopf und Fuß',
      alone: true,
      show: (
        <PageShell width="narrow" header={false} footer={false}>
          <Headline>Lena & Jonas</Headline>
          <p>{LONG_TEXT}</p>
        </PageShell>
      ),
    },
    {
      id: 'public-page',
      name: 'Öffentliche Seite mit Anschrift',
      alone: true,
      show: (
        <PublicPage title="Alle Fotos vom Fest" contact>
          <p>{LONG_TEXT}</p>
        </PublicPage>
      ),
    },
    {
      id: 'message-page',
      name: 'Seite mit einer Nachricht',
      alone: true,
      show: (
        <FailedPage
          title="Das hat nicht geklappt"
          error={new Error('Die Seite konnte nicht geladen werden. Ihre Fotos sind sicher.')}
          onRetry={nothing}
        />
      ),
    },
    {
      id: 'message-page-icon',
      name: 'Seite mit einer Nachricht, eigenem Zeichen und langen Texten',
      alone: true,
      show: (
        <MessagePage
          title={LONG_TITLE}
          icon={<KeyRound size={30} aria-hidden="true" />}
          actions={
            <>
              <ButtonLink href="/">Passwort eingeben</ButtonLink>
              <ButtonLink href="/" look="secondary">
                Zur Startseite
              </ButtonLink>
            </>
          }
        >
          <p>{LONG_TEXT}</p>
        </MessagePage>
      ),
    },
    { id: 'cookies-blocked', name: 'Seite, für die der Browser einen Cookie behalten müsste', alone: true, show: <CookiesBlocked /> },
    { id: 'login-form', name: 'Anmeldung', alone: true, show: <LoginForm {...LOGIN} onSubmit={forever} /> },
    {
      id: 'login-form-filled',
      name: 'Anmeldung, ausgefüllt, mit Fußnote',
      alone: true,
      show: <LoginForm {...LOGIN} initial={KNOWN} footnote={<p>Passwort vergessen? Rufen Sie uns an.</p>} onSubmit={forever} />,
    },
  ],
};
