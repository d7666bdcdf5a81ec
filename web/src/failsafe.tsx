import { Component, type ReactNode } from 'react';
import { Button } from './ui/button.tsx';
import { MessagePage } from './ui/message-page.tsx';

interface FailsafeState {
  path: string;
  broken: boolean;
}

/** Shown after an error in a page, until another page is opened. */
export class Failsafe extends Component<{ path: string; children: ReactNode }, FailsafeState> {
  override state = { path: this.props.path, broken: false };

  static getDerivedStateFromError(): Partial<FailsafeState> {
    return { broken: true };
  }

  static getDerivedStateFromProps({ path }: { path: string }, state: FailsafeState): FailsafeState | null {
    return path === state.path ? null : { path, broken: false };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <MessagePage title="Das hat nicht geklappt" actions={<Button onClick={() => window.location.reload()}>Seite neu laden</Button>}>
        <p>Die Seite konnte nicht geladen werden. Ihre Fotos sind sicher; laden Sie die Seite bitte neu.</p>
      </MessagePage>
    );
  }
}
