import { Component, StrictMode, type ReactNode } from 'react';
import { SiteContext, type Site } from './lib/use-site.ts';
import { shell } from './texts/guest/shell.ts';
import { Button } from './ui/button.tsx';
import { MessagePage } from './ui/message-page.tsx';

/** The frame of every page, on the server too: ids made by React depend on it. */
export function Frame({ site, children }: { site: Site; children: ReactNode }) {
  return (
    <StrictMode>
      <SiteContext value={site}>{children}</SiteContext>
    </StrictMode>
  );
}

/** Says that there was an error in the page that it holds, until it is drawn at another place or with another `key`. */
export class Failsafe extends Component<{ children: ReactNode }, { broken: boolean }> {
  // Not a field: the compiler's helper for fields would come to every guest's phone.
  constructor(props: { children: ReactNode }) {
    super(props);
    this.state = { broken: false };
  }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <MessagePage title={shell.broken} actions={<Button onClick={() => window.location.reload()}>{shell.reload}</Button>}>
        <p>{shell.brokenText}</p>
      </MessagePage>
    );
  }
}
