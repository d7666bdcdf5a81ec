import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface OutdatedProps {
  title: string;
  busy?: boolean;
  onLoad(): void;
}

/** A warning at a form that somebody else has changed the data since it was opened. */
export function Outdated({ title, busy = false, onLoad }: OutdatedProps) {
  return (
    <Notice kind="warning">
      <strong>{title}</strong>
      <span>Gespeichert ist noch nichts. Was Sie eingegeben haben, steht noch im Formular, bis Sie den neuen Stand laden.</span>
      <span>
        <Button look="secondary" busy={busy} onClick={onLoad}>
          Neuen Stand laden
        </Button>
      </span>
    </Notice>
  );
}
