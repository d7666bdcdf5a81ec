import type { FactorAsked, GivenFactor } from '@feierbild/contract/second-factor.ts';
import { KeyRound } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { isRefusal } from '../api/client.ts';
import { signWithPasskey } from '../lib/passkeys.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import styles from './form-page.module.css';
import { Notice } from './notice.tsx';
import { useForm } from './use-form.ts';

export type Given = z.input<typeof GivenFactor>;

/**
 * Runs an `attempt` that may need a second factor: first without one, then with the one that the person gives. `asked` holds the requested
 * factor; `ask` throws the other errors of `attempt`.
 */
export function useSecondFactor(attempt: (given?: Given) => Promise<void>) {
  const [asked, setAsked] = useState<FactorAsked | null>(null);
  /** The challenge for passkeys, which is valid for one attempt. */
  const unused = useRef<FactorAsked | null>(null);

  async function ask(given?: Given): Promise<void> {
    try {
      await attempt(given);
    } catch (error) {
      if (!isRefusal(error, 'second_factor_required') || !error.secondFactor) throw error;
      unused.current = error.secondFactor;
      setAsked(error.secondFactor);
    }
  }

  async function askPasskey(): Promise<void> {
    if (!unused.current) await ask();
    const options = unused.current?.passkey;
    unused.current = null;
    if (options) await ask({ passkey: await signWithPasskey(options) });
  }

  return { asked, ask, askPasskey, forget: () => setAsked(null) };
}

interface SecondFactorProps extends Pick<ReturnType<typeof useSecondFactor>, 'ask' | 'askPasskey'> {
  asked: FactorAsked;
  confirm: string;
}

/** Asks for a code, a passkey, or either. */
export function SecondFactor({ asked, ask, askPasskey, confirm }: SecondFactorProps) {
  const { field, typed, restart, onSubmit, run, failure, busy } = useForm({ code: '' });
  const form = useRef<HTMLFormElement>(null);
  // The focused element has just been replaced by this one.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  const unfinished = (): Record<string, string> =>
    /^\d{6}$/.test(typed.code.replace(/\s/g, '')) ? {} : { code: 'Bitte geben Sie die sechs Ziffern ein.' };

  async function sendCode(): Promise<void> {
    await ask({ totp: typed.code }).catch((error: unknown) => {
      restart({ code: '' });
      throw error;
    });
  }

  return (
    <form ref={form} className={styles.factor} noValidate onSubmit={onSubmit(sendCode, unfinished)}>
      {asked.totp && (
        <>
          <Field label="Code aus der App" inputMode="numeric" autoComplete="one-time-code" {...field('code')} />
          <Button type="submit" wide busy={busy}>
            {confirm}
          </Button>
        </>
      )}
      {asked.passkey && (
        <Button look={asked.totp ? 'secondary' : 'primary'} wide busy={busy} onClick={() => void run(askPasskey)}>
          <KeyRound size={20} /> {asked.totp ? 'Lieber mit Passkey' : 'Mit Passkey bestätigen'}
        </Button>
      )}
      {failure && <Notice kind="error">{failure}</Notice>}
    </form>
  );
}
