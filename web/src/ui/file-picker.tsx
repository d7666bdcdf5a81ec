import { useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';

interface FilePickerProps {
  accept: string;
  busy?: boolean;
  onPick(file: File): void;
  children: ReactNode;
}

/** A button that asks for a file. */
export function FilePicker({ accept, busy = false, onPick, children }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look="secondary" busy={busy} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onPick(file);
          // The same file can be picked again.
          target.value = '';
        }}
      />
    </>
  );
}
