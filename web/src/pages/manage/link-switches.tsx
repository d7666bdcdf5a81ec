import type { HostEvent } from '@feierbild/contract/entities.ts';
import { call } from '../../api/client.ts';
import { useSite } from '../../lib/use-site.ts';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useAction } from '../../ui/use-form.ts';

interface LinkSwitchProps {
  event: HostEvent;
  onChanged(): Promise<unknown>;
}

/** Sets whether messengers show the event's title and picture beside its link, or the brand alone. */
export function ChatPreview({ event, onChanged }: LinkSwitchProps) {
  const shown = event.link_preview === 'event';
  return (
    <StoredSwitch
      label="Titel und Titelbild in der Vorschau von Chats"
      hint={
        shown
          ? 'WhatsApp und andere zeigen beim Link Ihren Titel und Ihr eigenes Titelbild, nie ein Foto Ihrer Gäste.'
          : 'WhatsApp und andere zeigen beim Link nur, von wem der Dienst ist.'
      }
      checked={shown}
      onChoose={async (on) => {
        await call('PUT /api/events/:ref/link-preview', { params: { ref: event.code }, body: { value: on ? 'event' : 'brand' } });
        await onChanged();
      }}
    />
  );
}

/** Sets whether guests see the page in their phone's language at once. Renders nothing if the operator has set that for all events. */
export function PhoneLanguage({ event, onChanged }: LinkSwitchProps) {
  if (useSite().brand?.phoneLanguage) return null;
  return (
    <StoredSwitch
      label="Sprache des Handys"
      hint={
        event.phone_language
          ? 'Gäste sehen die Seite Ihres Events gleich in der Sprache ihres Handys, wenn es sie hier gibt.'
          : 'Gäste sehen die Seite Ihres Events auf Deutsch; eine Zeile bietet die Sprache ihres Handys an.'
      }
      checked={event.phone_language}
      onChoose={async (value) => {
        await call('PUT /api/events/:ref/phone-language', { params: { ref: event.code }, body: { value } });
        await onChanged();
      }}
    />
  );
}

interface StoredSwitchProps {
  label: string;
  hint: string;
  checked: boolean;
  onChoose(on: boolean): Promise<void>;
}

/** A switch that turns once the server has stored the choice, and shows an error if not. */
function StoredSwitch({ onChoose, ...shown }: StoredSwitchProps) {
  const { busy, failure, run } = useAction();
  return (
    <>
      <Switch {...shown} disabled={busy} onChange={(on) => void run(() => onChoose(on))} />
      {failure && <Notice kind="error">{failure}</Notice>}
    </>
  );
}
