import { Link2Off } from 'lucide-react';
import type { ReactNode } from 'react';
import { tokenIn } from '../lib/address-token.ts';
import { pastedLink } from '../lib/pasted-link.ts';
import { releaseTexts } from '../texts/guest/release.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import styles from './form-page.module.css';
import { MessagePage } from './message-page.tsx';
import { useForm } from './use-form.ts';

interface LinkPartProps {
  /** Finds the token in a pasted text; empty if there is none. */
  read?(text: string): string;
  onToken(token: string): void;
}

const noMistake: Record<string, string> = {};

/** Takes a pasted link, or the token at its end. */
export function LinkPart({ read = tokenIn, onToken }: LinkPartProps) {
  const { field, typed, onSubmit } = useForm({ link: '' });
  const words = releaseTexts.linkPart;
  const token = read(pastedLink(typed.link));
  return (
    <form
      className={styles.linkPart}
      noValidate
      onSubmit={onSubmit(
        async () => onToken(token),
        () => (token === '' ? { link: words.mistake } : noMistake),
      )}
    >
      <Field label={words.label} autoComplete="off" autoCapitalize="none" spellCheck={false} translate="no" {...field('link')} />
      <Button type="submit" wide>
        {words.go}
      </Button>
    </form>
  );
}

/** Stands in place of a page whose link has lost its end: mail programs cut links, and drop the part after `#`. */
export function IncompleteLink({ children, ...part }: LinkPartProps & { children: ReactNode }) {
  return (
    <MessagePage title="Im Link fehlt ein Teil" icon={<Link2Off size={30} />} actions={<LinkPart {...part} />}>
      <p>Manche Mailprogramme kürzen Links. {children}</p>
    </MessagePage>
  );
}
