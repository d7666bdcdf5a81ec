import type { HostEvent } from '@feierbild/contract/entities.ts';
import { call } from '../../api/client.ts';
import { useSite } from '../../lib/use-site.ts';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useAction } from '../../ui/use-form.ts';

/** Whether guests are spoken to in their phones' language by itself; nothing where the operator has set that for all. */
export function PhoneLanguage({ event, onChanged }: { event: HostEvent; onChanged(): Promise<unknown> }) {
  const { busy, failure, run } = useAction();
  if (useSite().brand?.phoneLanguage) return null;

  async function choose(value: boolean): Promise<void> {
    await call('PUT /api/events/:ref/phone-language', { params: { ref: event.code }, body: { value } });
    await onChanged();
  }

  return (
    <>
      <Switch
        label="Sprache des Handys"
        hint={
          event.phone_language
            ? 'Gäste sehen die Seite Ihres Events gleich in der Sprache ihres Handys, wenn es sie hier gibt.'
            : 'Gäste sehen die Seite Ihres Events auf Deutsch; eine Zeile bietet die Sprache ihres Handys an.'
        }
        checked={event.phone_language}
        disabled={busy}
        onChange={(value) => void run(() => choose(value))}
      />
      {failure && <Notice kind="error">{failure}</Notice>}
    </>
  );
}
