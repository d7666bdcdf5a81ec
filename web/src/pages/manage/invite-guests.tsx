import type { HostEvent } from '@feierbild/contract/entities.ts';
import { Download, Mail, MessageCircle, Share2 } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { orSay } from '../../lib/or-say.ts';
import { openShareSheet } from '../../lib/share-sheet.ts';
import { forget, recall, remember } from '../../lib/storage.ts';
import { BY_COPYING } from '../../lib/use-copy.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download-link.tsx';
import { Field } from '../../ui/field.tsx';
import { useAction } from '../../ui/use-form.ts';
import { Notice } from '../../ui/notice.tsx';
import { pictureOfQr } from './qr-picture.ts';
import styles from './dashboard.module.css';

interface InviteGuestsProps {
  url: string;
  event: HostEvent;
  /** The element that contains the drawn QR code. */
  code: RefObject<HTMLElement | null>;
}

const MAX_LENGTH = 500;
const suggested = (title: string): string =>
  `Hier landen unsere Fotos von „${title}“: Link öffnen, Bilder auswählen, fertig. Ohne App und ohne Anmeldung.`;

/** Returns the text that was written for this event; null: none, or for another event, which that text names. */
function keptFor(code: string): string | null {
  const kept = recall('shareText');
  return kept?.startsWith(`${code} `) ? kept.slice(code.length + 1) : null;
}

const NO_PICTURE = 'Ihr Browser kann den QR-Code nicht als Bild sichern. Bitte machen Sie ein Bildschirmfoto davon.';

/** Shares the event's link with a text by the phone's share sheet, and saves its QR code as a picture. */
export function InviteGuests({ url, event, code }: InviteGuestsProps) {
  const { title } = event;
  const [text, setText] = useState(() => keptFor(event.code) ?? suggested(title));
  const { busy, failure, run } = useAction();
  const message = [text.trim(), url].filter(Boolean).join('\n');

  function change(value: string): void {
    setText(value);
    if (value === suggested(title)) forget('shareText');
    else remember('shareText', `${event.code} ${value}`);
  }

  async function save(): Promise<void> {
    const drawn = code.current?.querySelector('svg');
    if (!drawn) return;
    saveFile(await orSay(NO_PICTURE, pictureOfQr(drawn)), `QR-Code ${title.replaceAll(/[^\p{L}\p{N} &-]/gu, '')}.png`);
  }

  return (
    <div className={styles.invite}>
      <Field
        label="Text dazu"
        rows={4}
        value={text}
        maxLength={MAX_LENGTH}
        hint="Der Link steht darunter. Ihr Text bleibt für das nächste Mal hier."
        onChange={({ target }) => change(target.value)}
      />
      {'share' in navigator && (
        <Button wide onClick={() => void run(() => orSay(BY_COPYING, openShareSheet({ title, text: text.trim(), url })))}>
          <Share2 size={20} /> Verschicken …
        </Button>
      )}
      <div className={styles.ways}>
        <ButtonLink look="secondary" href={`https://wa.me/?text=${encodeURIComponent(message)}`} target="_blank" rel="noopener noreferrer">
          <MessageCircle size={20} /> WhatsApp
        </ButtonLink>
        <ButtonLink look="secondary" href={`mailto:?subject=${encodeURIComponent(`Fotos: ${title}`)}&body=${encodeURIComponent(message)}`}>
          <Mail size={20} /> E‑Mail
        </ButtonLink>
        <Button look="secondary" busy={busy} onClick={() => void run(save)}>
          <Download size={20} /> QR-Code sichern
        </Button>
      </div>
      {failure && <Notice kind="error">{failure}</Notice>}
    </div>
  );
}
