import type { ReactNode } from 'react';
import { isRefusal, messageOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Waiting } from '../../ui/spinner.tsx';

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch(): Promise<unknown> };
  children(data: Data): ReactNode;
}

/** What a query brought, that it is on its way, or why it did not come and how it is tried again; what it brought before stays in sight. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>) {
  // Without a session the client is on its way to the login.
  if (isRefusal(error, 'login_required')) return null;
  return (
    <>
      {error !== null && (
        <Notice kind="error">
          <span>{messageOf(error)}</span>
          <span>
            <Button look="secondary" onClick={() => void refetch()}>
              Erneut versuchen
            </Button>
          </span>
        </Notice>
      )}
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Waiting />}
    </>
  );
}
