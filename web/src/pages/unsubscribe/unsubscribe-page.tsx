import { MailX } from 'lucide-react';
import { useState } from 'react';
import { call, isRefusal } from '../../api/client.ts';
import { unsubscribeTokenIn } from '../../lib/unsubscribe-token.ts';
import { Button } from '../../ui/button.tsx';
import { IncompleteLink } from '../../ui/incomplete-link.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';

/** /abmelden/{token}: ends a kind of mail by a button. Its opening ends nothing, because mail programs open links by themselves. */
export default function UnsubscribePage({ token: inAddress }: { token: string }) {
  const [token, setToken] = useState(() => unsubscribeTokenIn(inAddress));
  const [ended, setEnded] = useState<{ kind: string; on: boolean } | null>(null);
  const { busy, failure, error, run } = useAction();
  const set = (on: boolean) => run(async () => setEnded(await call('POST /abmelden/:token', { params: { token }, body: { on } })));

  if (token === '')
    return (
      <IncompleteLink read={unsubscribeTokenIn} onToken={setToken}>
        Kopieren Sie den Link unten in der Mail, und fügen Sie ihn hier ein.
      </IncompleteLink>
    );
  if (error !== null && isRefusal(error, 'not_found'))
    return (
      <MessagePage title="Nichts mehr abzubestellen">
        <p>Das Event und seine Mailadresse sind schon gelöscht, oder der Link war nie gültig.</p>
      </MessagePage>
    );
  const off = ended !== null && !ended.on;
  return (
    <MessagePage
      title={off ? 'Abbestellt' : ended ? 'Wieder bestellt' : 'Mails abbestellen'}
      icon={<MailX size={30} />}
      actions={
        <Button look={off ? 'secondary' : 'primary'} busy={busy} onClick={() => void set(off)}>
          {off ? 'Doch wieder schicken' : 'Mails dieser Art abbestellen'}
        </Button>
      }
    >
      {ended === null && <p>Von dieser Art kommt dann keine Mail mehr zu Ihrem Event. Alle anderen kommen weiter.</p>}
      {ended !== null && (
        <p role="status">
          {ended.kind}: {off ? 'Davon kommt keine Mail mehr.' : 'Davon kommt wieder Mail.'}
        </p>
      )}
      {failure && <Notice kind="error">{failure}</Notice>}
    </MessagePage>
  );
}
