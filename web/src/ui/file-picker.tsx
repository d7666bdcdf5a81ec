import { useRef, type ReactNode } from 'react';
import { orSay } from '../lib/or-say.ts';
import { within } from '../lib/time-limit.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { useAction } from './use-form.ts';

/** Largest file that is copied; more would need too much of a phone's memory. */
const COPIED_BYTES = 100 * 1024 * 1024;
/** Limit of the copying: a cloud may never send a file. */
const COPY_MS = 60_000;
const UNREADABLE = 'Diese Datei lässt sich nicht lesen. Bitte wählen Sie sie noch einmal.';

interface FilePickerProps {
  accept: string;
  busy?: boolean;
  /** Receives a copy in memory. */
  onPick(file: File): void;
  /** Learns whether a picked file is still being copied. */
  onCopying?(this: void, copying: boolean): void;
  children: ReactNode;
}

/** A button that asks for a file, and says if that cannot be read. */
export function FilePicker({ accept, busy = false, onPick, onCopying, children }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const { busy: copying, failure, run } = useAction();
  return (
    <>
      <Button look="secondary" busy={busy || copying} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) {
            onCopying?.(true);
            void run(async () => onPick(await copyOf(file))).finally(() => onCopying?.(false));
          }
          // The same file can be picked again.
          target.value = '';
        }}
      />
      {failure && <Notice kind="error">{failure}</Notice>}
    </>
  );
}

/** Copies a file into memory: browsers send none that was changed or moved after it was picked. Throws an Error with the sentence to show. */
async function copyOf(file: File): Promise<File> {
  if (file.size > COPIED_BYTES) return file;
  const bytes = await orSay(UNREADABLE, within(COPY_MS, file.arrayBuffer(), null));
  if (!bytes) throw new Error(UNREADABLE);
  return new File([bytes], file.name, { type: file.type, lastModified: file.lastModified });
}
