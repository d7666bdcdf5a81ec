import type { HostEvent } from '@feierbild/contract/entities.ts';
import { call } from '../../api/client.ts';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useAction } from '../../ui/use-form.ts';

/** Whether messengers show the event's title and picture beside its link, or the brand alone. */
export function ChatPreview({ event, onChanged }: { event: HostEvent; onChanged(): Promise<unknown> }) {
  const { busy, failure, run } = useAction();
  const shown = event.link_preview === 'event';

  async function choose(value: boolean): Promise<void> {
    await call('PUT /api/events/:ref/link-preview', { params: { ref: event.code }, body: { value: value ? 'event' : 'brand' } });
    await onChanged();
  }

  return (
    <>
      <Switch
        label="Titel und Titelbild in der Vorschau von Chats"
        hint={
          shown
            ? 'WhatsApp und andere zeigen beim Link Ihren Titel und Ihr eigenes Titelbild, nie ein Foto Ihrer Gäste.'
            : 'WhatsApp und andere zeigen beim Link nur, von wem der Dienst ist.'
        }
        checked={shown}
        disabled={busy}
        onChange={(value) => void run(() => choose(value))}
      />
      {failure && <Notice kind="error">{failure}</Notice>}
    </>
  );
}
