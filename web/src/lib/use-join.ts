import { isEventCode } from '@feierbild/contract/event-code.ts';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { ApiError, call } from '../api/client.ts';
import { failureHint } from './failure-hint.ts';

/**
 * Opens the event of a typed code; used by all forms that join. `submit` asks the server whether code and password
 * (where the form has a field for it) are right, and opens the event; `failed` says that it did not, `hint` why, where that is
 * known. `given` is the code while nobody has typed one.
 */
export function useJoin(given = '') {
  const [, navigate] = useLocation();
  const [typed, setCode] = useState<string | null>(null);
  const code = typed ?? given;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  async function join(password?: string): Promise<void> {
    if (!isEventCode(code) || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      const headers: Record<string, string> = password ? { 'event-password': encodeURIComponent(password) } : {};
      const event = await call('GET /event/:code', { params: { code }, headers });
      if (event.with_upload_password && password === '') throw new ApiError(403, 'password_missing', '');
      navigate(password ? `/event/${code}?password=${encodeURIComponent(password)}` : `/event/${code}`);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return {
    code,
    setCode,
    busy,
    ready: isEventCode(code),
    failed: failure !== null,
    hint: failureHint(failure),
    submit(event: FormEvent, password?: string): void {
      event.preventDefault();
      void join(password);
    },
  };
}
