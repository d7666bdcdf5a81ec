import { isEventCode } from '@feierbild/contract/event-code.ts';
import { useState, type ReactNode } from 'react';
import { ApiError, call, isRefusal } from '../api/client.ts';
import { eventPath } from '../lib/event-url.ts';
import { failureHint } from '../lib/failure-hint.ts';
import { openPage } from '../lib/open-page.ts';
import { joining } from '../texts/guest/join.ts';
import { Button } from './button.tsx';
import { CodeField } from './code-field.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import { useAction } from './use-form.ts';

export interface JoinFormProps {
  className: string | undefined;
  /** Content above the code. */
  head: ReactNode;
  counter: 'always' | 'filled';
  /** Initial code. */
  given?: string;
  /** The typed password; undefined if the form has no field for it. */
  password?: string;
  /** Further fields. */
  children?: ReactNode;
  /** Label of the button. */
  open: string;
  /** Content below the button. */
  foot?: ReactNode;
}

/** The form that leads from a code to its event: the server checks code and password (if there is a field), and the event opens. */
export function JoinForm({ className, head, counter, given = '', password, children, open, foot }: JoinFormProps) {
  const [typed, setCode] = useState<string | null>(null);
  const code = typed ?? given;
  const { busy, error, run } = useAction();
  const hint = isRefusal(error, 'not_ours', 'unavailable', 'internal') ? joining.trouble : failureHint(error);

  async function openEvent(): Promise<void> {
    const headers: Record<string, string> = password ? { 'event-password': encodeURIComponent(password) } : {};
    const event = await call('GET /event/:code', { params: { code }, headers });
    if (event.with_upload_password && password === '') throw new ApiError(403, 'password_missing', '');
    openPage(eventPath(code, { password }));
  }

  return (
    <Form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (isEventCode(code)) void run(openEvent);
      }}
    >
      {head}
      <CodeField value={code} onChange={setCode} counter={counter} />
      {children}
      {error !== null && (
        <Notice kind="error">
          <strong>{joining.failed}</strong>
          {hint && <span>{hint}</span>}
        </Notice>
      )}
      <Button type="submit" wide busy={busy} disabled={!isEventCode(code)}>
        {open}
      </Button>
      {foot}
    </Form>
  );
}
