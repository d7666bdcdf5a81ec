import { Component, StrictMode, type ReactNode } from 'react';
import { SiteContext, type Site } from './lib/use-site.ts';
import { shell } from './texts/guest/shell.ts';
import { Button } from './ui/button.tsx';
import { MessagePage } from './ui/message-page.tsx';

/** Wraps every page, on the server too: ids made by React depend on the tree. */
export function Frame({ site, children }: { site: Site; children: ReactNode }) {
  return (
    <StrictMode>
      <SiteContext value={site}>{children}</SiteContext>
    </StrictMode>
  );
}

/** Shows a message in place of a page that threw while rendering, until it is rendered at another place or with another `key`. */
export class Failsafe extends Component<{ children: ReactNode }, { broken: boolean }> {
  // `state` is no class field: the compiler's helper for fields would be part of every guest's download.
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
